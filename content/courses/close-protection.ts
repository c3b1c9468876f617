import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const closeProtection = {
  id: "close-protection",
  courseName: "Lvl 3 Close Protection",
  title: "Close Protection",
  description: "Twenty-four days to the Level 3 qualification you need to apply for an SIA close protection licence.",
  image: "/images/courses/close-protection.svg",
  link: "/close-protection",
  category: "security",
  price: 2500,
  duration: "24 days",
  days: 24,
  level: "Level 3",
  location: provider.venue,
  overview: [
    "Close protection is planning, patience and good manners, with the skill to act when a plan fails. This course leads to the Level 3 Certificate for Close Protection Operatives in the Private Security Industry, which the Security Industry Authority asks for when you apply for a licence.",
    "You work in teams from the first week: assessing threats, writing operational plans, walking routes and running moves on foot and by car through real streets. The course ends with an exercise in which you plan and carry out an assignment from brief to debrief.",
    "A close protection licence also lets you work as a door supervisor and as a security officer. When you renew it you will need the close protection refresher, which has been required since 1 April 2026.",
  ],
  syllabus: [
    {
      title: "Principles of working as a close protection operative",
      topics: [
        "Roles in a team, and the difference between client and principal",
        "Law, ethics and confidentiality",
        "Assessing threat, vulnerability and risk",
        "Interpersonal skills and professional conduct",
      ],
    },
    {
      title: "Working as a close protection operative",
      topics: [
        "Operational planning, orders and contingencies",
        "Reconnaissance, route selection and venue security",
        "Foot drills and moving through crowds",
        "Vehicle moves, arrivals and departures",
        "Searching people, vehicles and venues",
        "Surveillance awareness and anti-surveillance",
      ],
    },
    {
      title: "Application of conflict management",
      topics: ["Reading a situation early", "Communication and de-escalation around a principal", "Recording and learning from incidents"],
    },
    {
      title: "Working as a door supervisor, for close protection operatives",
      topics: ["Licensing law, refusal and ejection", "Protecting people who are vulnerable", "Terror threats and critical incidents"],
    },
    {
      title: "Application of physical intervention skills",
      topics: [
        "Force, the law and the medical risks",
        "Breaking away, escorting and holding",
        "Protecting and moving a principal under threat",
      ],
    },
  ],
  features: [
    "You leave with the Level 3 certificate once every exam, plan and practical is passed",
    "You leave with the qualification you need to apply to the SIA for your licence",
    "Enhanced Learning Credits can go towards this course",
    "Registration, exams and certificate are in the price; the SIA’s licence fee is paid to the SIA",
  ],
  prerequisites: [
    "Be 18 or over",
    "Hold a Level 3 first-aid certificate of at least three days, such as First Aid at Work, with at least 12 months left on the first day",
    "Speak, read and write English at about Level 1 (B2); we check this with you before you book",
    "Be fit enough for long days and physical intervention, and tell us about injuries and conditions",
  ],
  bring: [
    "Photo identification and proof of address, from the list in your joining letter",
    "Your first-aid certificate",
    "Business clothes for the exercises and outdoor clothes for the drills",
    "A notebook, and a driving licence if you have one",
  ],
  minimumAge: 18,
} satisfies Course;
