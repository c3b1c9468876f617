import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const securityOfficerTopup = {
  id: "security-officer-topup",
  courseName: "Security Officer Refresher Course",
  title: "Security Officer Refresher",
  description: "Two days to the refresher qualification every security officer needs before renewing an SIA licence.",
  image: "/images/courses/security-officer-topup.svg",
  link: "/security-officer-topup",
  category: "refresher",
  price: 250,
  duration: "2 days",
  days: 2,
  level: "Level 2",
  location: provider.venue,
  overview: [
    "Since 1 April 2025 you need a refresher qualification before you can renew a security guarding licence. It takes the place of the old top-up. This course is that refresher: the Level 2 Award for Security Officers in the Private Security Industry (Refresher).",
    "It is one unit in three parts: searching, keeping vulnerable people safe, and terror threats. There is time to practise, time to revise and a multiple-choice exam. If you hold a door supervisor licence and want to move to guarding, this refresher lets you switch when you renew.",
  ],
  syllabus: [
    {
      title: "Before you come",
      topics: ["ACT Awareness, the free counter-terrorism e-learning", "ACT Security, the free e-learning that follows it"],
    },
    {
      title: "Effective search procedures",
      topics: [
        "When you may search and when you may not",
        "Searching people, bags and vehicles, with practice in pairs",
        "Prohibited items, refusals and records",
      ],
    },
    {
      title: "Keeping vulnerable people safe",
      topics: ["Recognising vulnerability, abuse and exploitation", "Spiking and predatory behaviour", "Acting, referring and recording"],
    },
    {
      title: "Terror threats and your role",
      topics: [
        "Threat levels and methods of attack",
        "Suspicious behaviour and suspicious items",
        "What you do first when something happens",
      ],
    },
  ],
  features: [
    "You leave with the refresher qualification the SIA asks for when you renew",
    "Exam and certificate are in the price",
    "Practice with real bags, real doors and a trainer playing a difficult customer",
    "Your documents checked by the office before the first day",
  ],
  prerequisites: [
    "Hold the security officer or door supervisor qualification of April 2021 or later, or an older one with its top-up",
    "Hold Emergency First Aid at Work or an equivalent certificate, with at least 12 months left on the first day",
    "Finish the two free ACT e-learning modules before the first day",
  ],
  bring: [
    "Your SIA licence, photo identification and proof of address",
    "Your first-aid certificate",
    "Your ACT Awareness and ACT Security certificates",
  ],
} satisfies Course;
