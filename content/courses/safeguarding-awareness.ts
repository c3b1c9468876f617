import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const safeguardingAwareness = {
  id: "safeguarding-awareness",
  courseName: "Safeguarding Awareness Training Level 1",
  title: "Safeguarding Awareness Training Level 1",
  description: "Half a day on recognising abuse and neglect, listening well and passing a concern to the right person.",
  image: "/images/courses/safeguarding-awareness.svg",
  link: "/safeguarding-awareness",
  category: "health-safety",
  price: 50,
  duration: "half day",
  days: 1,
  hours: 4,
  level: "Level 1",
  location: provider.venue,
  overview: [
    "Anyone who works or volunteers around children or adults at risk may be the first to notice that something is wrong. This half day is for them: club helpers, drivers, receptionists, stewards, care staff and teaching assistants.",
    "You learn what abuse and neglect can look like, how to listen when somebody tells you, and what to do in the hour that follows. You are not asked to investigate; you are asked to notice, write down and pass on. The subject is hard, so you may step out at any time.",
  ],
  syllabus: [
    {
      title: "What safeguarding means",
      topics: [
        "Children and adults at risk, and why they differ in law",
        "The Children Acts, the Care Act 2014 and your organisation’s policy",
        "Everyone’s responsibility, and where yours ends",
      ],
    },
    {
      title: "Recognising harm",
      topics: [
        "Types of abuse and neglect, and their signs",
        "Exploitation, online harm, domestic abuse and radicalisation",
        "What makes some people more vulnerable",
      ],
    },
    {
      title: "Responding",
      topics: [
        "Listening to a disclosure without leading or promising secrecy",
        "Recording facts in the person’s own words",
        "Reporting to your safeguarding lead, and when to call 999",
        "Concerns about a colleague, and whistleblowing",
      ],
    },
  ],
  features: [
    "You leave with a Level 1 safeguarding certificate",
    "You leave with a card of whom to call, filled in for your own organisation",
    "No more than 16 learners to a group",
    "Case studies chosen for the work your group does",
  ],
  prerequisites: ["No experience needed", "If the subject is close to you, tell us beforehand in confidence and we plan for it"],
  bring: ["Your organisation’s safeguarding policy, if it has one", "Pen and notebook"],
  maxStudents: 16,
} satisfies Course;
