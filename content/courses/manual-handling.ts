import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const manualHandling = {
  id: "manual-handling",
  courseName: "Manual Handling",
  title: "Manual Handling",
  description: "Half a day on moving loads without hurting your back, and on when not to lift at all.",
  image: "/images/courses/manual-handling.svg",
  link: "/manual-handling",
  category: "health-safety",
  price: 50,
  duration: "half day",
  days: 1,
  hours: 4,
  location: provider.venue,
  overview: [
    "Lifting, carrying, pushing and pulling are among the commonest ways to be injured at work, and the injuries last. Many could be avoided by thinking for ten seconds first. This half day teaches you what to think about, and then you practise it.",
    "We bring boxes, sacks and trolleys; you bring the loads you find hard, or a description of them. It is for people who move things. Moving and handling patients is a different course.",
  ],
  syllabus: [
    {
      title: "Why it matters",
      topics: ["How the back works and how it is injured", "The Manual Handling Operations Regulations 1992: avoid, assess, reduce"],
    },
    {
      title: "Assessing a lift",
      topics: [
        "Task, individual, load, environment and other factors",
        "Guideline weights and what they do not tell you",
        "Asking whether it needs lifting at all",
      ],
    },
    {
      title: "Practice",
      topics: ["Planning, gripping, lifting and setting down", "Pushing, pulling and lifting in pairs", "Trolleys and other aids"],
    },
  ],
  features: [
    "You leave with a manual handling certificate",
    "You leave with an assessment of one lift from your own job",
    "Most of the time is spent practising",
    `For groups, taught at your workplace within ${provider.serviceRadiusKm} km if you prefer`,
  ],
  prerequisites: ["No experience needed", "Tell us about back, joint or heart trouble, or if you are pregnant, and we adapt the practice"],
  bring: ["Flat, closed shoes", "Comfortable clothes you can bend in"],
} satisfies Course;
