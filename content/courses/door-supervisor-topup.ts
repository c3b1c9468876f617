import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const doorSupervisorTopup = {
  id: "door-supervisor-topup",
  courseName: "Door Supervisor Refresher Course",
  title: "Door Supervisor Refresher",
  description: "Four days to the refresher qualification every door supervisor needs before renewing an SIA licence.",
  image: "/images/courses/door-supervisor-topup.svg",
  link: "/door-supervisor-topup",
  category: "refresher",
  price: 250,
  duration: "4 days",
  days: 4,
  level: "Level 2",
  location: provider.venue,
  overview: [
    "Since 1 April 2025 you need a refresher qualification before you can renew a door supervisor licence. It takes the place of the old top-up. This course is that refresher: the Level 2 Award for Door Supervisors in the Private Security Industry (Refresher).",
    "It goes over the parts of the job that fade or have changed: searching, vulnerable people and spiking, terror threats, and physical intervention. You practise everything again, and you are assessed by multiple-choice exam and by showing us your skills.",
  ],
  syllabus: [
    {
      title: "Before you come",
      topics: ["ACT Awareness, the free counter-terrorism e-learning", "ACT Security, the free e-learning that follows it"],
    },
    {
      title: "Principles of working as a door supervisor",
      topics: [
        "Searching people effectively, with practice in pairs",
        "Recognising vulnerability, including spiking, and what to do next",
        "Terror threats: methods, suspicious behaviour and suspicious items",
        "Your part when an attack happens",
      ],
    },
    {
      title: "Application of physical intervention skills",
      topics: [
        "The law on force and the duty to use other means first",
        "Medical risks, including positional asphyxia",
        "Breaking away, escorting and holding, refreshed and assessed",
        "Care, handover and reporting afterwards",
      ],
    },
  ],
  features: [
    "You leave with the refresher qualification the SIA asks for when you renew",
    "Exams and certificate are in the price",
    "Taught by trainers who have worked the door",
    "An honest look at whether to renew as a door supervisor or switch to security officer",
  ],
  prerequisites: [
    "Be 18 or over",
    "Hold the door supervisor qualification of April 2021 or later, or an older one with its top-up",
    "Hold Emergency First Aid at Work or an equivalent certificate, with at least 12 months left on the first day",
    "Finish the two free ACT e-learning modules before the first day",
    "Be fit enough for physical intervention training, and tell us about injuries and conditions",
  ],
  bring: [
    "Your SIA licence, photo identification and proof of address",
    "Your first-aid certificate",
    "Your ACT Awareness and ACT Security certificates",
    "Comfortable clothes and flat shoes",
  ],
  minimumAge: 18,
} satisfies Course;
