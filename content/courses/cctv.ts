import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const cctv = {
  id: "cctv",
  courseName: "Lvl 2 CCTV",
  title: "CCTV Operator",
  description: "Five days to the Level 2 qualification you need to apply for an SIA public space surveillance licence.",
  image: "/images/courses/cctv.svg",
  link: "/cctv",
  category: "security",
  price: 350,
  duration: "5 days",
  days: 5,
  level: "Level 2",
  location: provider.venue,
  overview: [
    "CCTV operators watch over town centres, shopping streets and transport, and what they record may be what a court relies on. This course leads to the Level 2 Award for CCTV Operators (Public Space Surveillance) in the Private Security Industry, which the Security Industry Authority asks for when you apply for a licence.",
    "The award has two units: one on the industry and one on the principles and practices of a CCTV operator. You spend the second between the classroom and a working control desk, following a person from camera to camera, passing clear information over the radio and turning what you saw into evidence. Both units end with a multiple-choice exam, and the second has practical tasks at the desk.",
  ],
  syllabus: [
    {
      title: "Principles of working in the private security industry",
      topics: [
        "How the industry is regulated and what a licence asks of you",
        "The law as it applies to you",
        "Health, safety, fire and emergencies at work",
        "Terror threats and vulnerable people",
        "Communication, records and evidential statements",
      ],
    },
    {
      title: "Working as a CCTV operator: surveillance and the law",
      topics: [
        "What public space surveillance is for",
        "Data protection, human rights and the surveillance camera code",
        "Privacy, confidentiality and directed surveillance",
      ],
    },
    {
      title: "Working as a CCTV operator: at the control desk",
      topics: [
        "Cameras, screens, recorders and their limits",
        "Tracking, lost contact and blind spots",
        "Suspicious behaviour, body language and profiling without prejudice",
        "Incidents, emergencies and working with the police",
      ],
    },
    {
      title: "Working as a CCTV operator: from picture to evidence",
      topics: [
        "Logs, audit trails and continuity of evidence",
        "Producing, storing and handing over recordings",
        "Writing the statement that goes with them",
      ],
    },
  ],
  features: [
    "You leave with the Level 2 Award for CCTV Operators once both units are passed",
    "You leave with the qualification you need to apply to the SIA for your licence",
    "Hours at a working control desk, not only slides",
    "Registration, exams and certificate are in the price; the SIA’s licence fee is paid to the SIA",
  ],
  prerequisites: [
    "Be 18 or over to apply for a licence",
    "Speak, read and write English at about Level 1 (B2); we check this with you before you book",
    "No first-aid certificate is needed for this course",
  ],
  bring: [
    "Photo identification and proof of address, from the list in your joining letter",
    "A passport-style photograph",
    "Glasses, if you use them for screens",
  ],
} satisfies Course;
