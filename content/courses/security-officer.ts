import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const securityOfficer = {
  id: "security-officer",
  courseName: "Lvl 2 Security Officer",
  title: "Security Officer",
  description: "Six days to the Level 2 qualification you need to apply for an SIA security guarding licence.",
  image: "/images/courses/security-officer.svg",
  link: "/security-officer",
  category: "security",
  price: 250,
  duration: "6 days",
  days: 6,
  level: "Level 2",
  location: provider.venue,
  overview: [
    "Security officers look after shops, offices, sites and hospitals, often as the first face people meet. This course leads to the Level 2 Award for Security Officers in the Private Security Industry, which the Security Industry Authority asks for when you apply for a security guarding licence.",
    "You learn the law that applies to you, how to patrol and control access, how to search, and how to keep a disagreement from becoming an incident. Each unit ends with a multiple-choice exam, and searching and conflict management are assessed in practice too.",
    "This licence does not cover work at the door of licensed premises. If that is where you are heading, take Door Supervisor instead: it covers both.",
  ],
  syllabus: [
    {
      title: "Principles of working in the private security industry",
      topics: [
        "How the industry is regulated and what a licence asks of you",
        "Civil and criminal law, arrest and self-defence",
        "Health, safety, fire and emergencies at work",
        "Terror threats and what to do about them",
        "Protecting people who are vulnerable",
        "Radio communication, reports and evidential statements",
      ],
    },
    {
      title: "Principles of working as a security officer",
      topics: [
        "Controlling access and egress",
        "Patrolling with a purpose",
        "Alarms, cameras and other protection systems",
        "Searching people, bags and vehicles",
        "Drugs: what the law says and how to hand over finds",
        "Staying safe, especially when you work alone",
      ],
    },
    {
      title: "Application of conflict management",
      topics: [
        "What sets people off and what calms them",
        "Assessing risk while things are moving",
        "De-escalation, in practised scenarios",
        "Reporting and looking after yourself afterwards",
      ],
    },
  ],
  features: [
    "You leave with the Level 2 Award for Security Officers once you have passed every unit",
    "You leave with the qualification you need to apply to the SIA for your licence",
    "Registration, exams and certificate are in the price; the SIA’s licence fee is paid to the SIA",
    "Help with your licence application on the last day",
  ],
  prerequisites: [
    "Be 18 or over to apply for a licence",
    "Hold Emergency First Aid at Work or an equivalent certificate, with at least 12 months left on the first day",
    "Speak, read and write English at about Level 1 (B2); we check this with you before you book",
  ],
  bring: [
    "Photo identification and proof of address, from the list in your joining letter",
    "Your first-aid certificate",
    "A passport-style photograph",
    "Pen, notebook and a packed lunch",
  ],
} satisfies Course;
