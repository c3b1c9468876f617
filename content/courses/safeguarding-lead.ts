import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const safeguardingLead = {
  id: "safeguarding-lead",
  courseName: "Safeguarding Lead Training Level 3",
  title: "Safeguarding Lead Training Level 3",
  description: "One day for the person others turn to: thresholds, referrals, records and allegations against staff.",
  image: "/images/courses/safeguarding-lead.svg",
  link: "/safeguarding-lead",
  category: "health-safety",
  price: 150,
  duration: "1 day",
  days: 1,
  level: "Level 3",
  location: provider.venue,
  overview: [
    "The safeguarding lead is the person others turn to with a worry, often at the worst moment of the week. This day prepares you to take that worry, decide what it is, act on it and be able to show why you did.",
    "It is for designated leads and deputies in nurseries, schools, clubs, charities, care and security firms. We work through cases from first concern to outcome, with the forms and the phone calls, and we talk about looking after your team and yourself.",
  ],
  syllabus: [
    {
      title: "The role of the lead",
      topics: [
        "What the lead and the deputy are responsible for",
        "The Children Acts, the Care Act 2014 and statutory guidance",
        "Working with the local safeguarding partners",
      ],
    },
    {
      title: "Deciding and referring",
      topics: [
        "Thresholds, early help and significant harm",
        "Making a referral that is acted on, and challenging a decision",
        "Consent, capacity and the wishes of the person",
        "The Prevent duty, exploitation and online harm",
      ],
    },
    {
      title: "Records and information sharing",
      topics: ["Chronologies, decisions and reasons", "When to share without consent", "Storing, transferring and keeping records"],
    },
    {
      title: "Leading a safer organisation",
      topics: [
        "Safer recruitment and induction",
        "Allegations against staff and the local authority designated officer",
        "Policy, supervision and support for those who report",
      ],
    },
  ],
  features: [
    "You leave with a Level 3 safeguarding lead certificate",
    "You leave with a policy checklist and a record template of your own",
    "Casework from first concern to outcome",
    "Time to ask about situations you have met, with names left out",
  ],
  prerequisites: [
    "Be 18 or over",
    "Hold, or be about to take on, a role with safeguarding responsibility",
    "Have taken awareness training before, such as our Level 1",
  ],
  bring: ["Your organisation’s safeguarding policy", "The contact details of your local authority’s safeguarding team", "A packed lunch"],
  minimumAge: 18,
} satisfies Course;
