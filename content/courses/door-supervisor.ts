import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const doorSupervisor = {
  id: "door-supervisor",
  courseName: "Lvl 2 Door Supervisor",
  title: "Door Supervisor",
  description: "Eight days to the Level 2 qualification you need to apply for an SIA door supervisor licence.",
  image: "/images/courses/door-supervisor.svg",
  link: "/door-supervisor",
  category: "security",
  price: 400,
  duration: "8 days",
  days: 8,
  level: "Level 2",
  location: provider.venue,
  overview: [
    "Door supervisors keep pubs, clubs, festivals and shops safe for the people inside them. To do that work you need a licence from the Security Industry Authority, and to apply for one you need this qualification: the Level 2 Award for Door Supervisors in the Private Security Industry.",
    "The eight days mix classroom, discussion and practice. You learn what the law lets you do, how to search, how to talk a situation down and, only when nothing else works, how to use physical intervention that protects both of you.",
    "You are assessed as you go: multiple-choice exams for each unit, and practical tasks that we film, as the awarding organisation requires. A door supervisor licence also lets you work as a security officer.",
  ],
  syllabus: [
    {
      title: "Principles of working in the private security industry",
      topics: [
        "How the industry is regulated and what a licence asks of you",
        "Civil and criminal law, arrest and the use of force",
        "Health, safety, fire and emergencies at work",
        "Terror threats and what to do about them",
        "Protecting people who are vulnerable",
        "Radio communication, notebooks and evidential statements",
      ],
    },
    {
      title: "Principles of working as a door supervisor",
      topics: [
        "Licensing law and the rights of the licence holder",
        "Searching people and bags, with permission and with respect",
        "Drugs: what the law says, what to look for, how to hand over finds",
        "Queues, venue capacity and crowd safety",
        "Equipment, from counters to body-worn cameras",
        "Accidents and first response at a venue",
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
    {
      title: "Application of physical intervention skills",
      topics: [
        "The law, the alternatives and the reasons to use force last",
        "Medical risks, including positional asphyxia",
        "Protecting yourself and breaking away without causing pain",
        "Escorting and holding, alone and in pairs",
        "Monitoring, releasing and recording",
      ],
    },
  ],
  features: [
    "You leave with the Level 2 Award for Door Supervisors once you have passed every unit",
    "You leave with the qualification you need to apply to the SIA for your licence",
    "Registration, exams and certificate are in the price; the SIA’s licence fee is paid to the SIA",
    "Help with your licence application on the last day",
  ],
  prerequisites: [
    "Be 18 or over",
    "Hold Emergency First Aid at Work or an equivalent certificate, with at least 12 months left on the first day",
    "Speak, read and write English at about Level 1 (B2); we check this with you before you book",
    "Be fit enough for physical intervention training, and tell us about injuries and conditions",
  ],
  bring: [
    "Photo identification and proof of address, from the list in your joining letter",
    "Your first-aid certificate",
    "A passport-style photograph",
    "Comfortable clothes and flat shoes for the physical days",
  ],
  minimumAge: 18,
} satisfies Course;
