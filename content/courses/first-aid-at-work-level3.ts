import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const firstAidAtWorkLevel3 = {
  id: "first-aid-at-work-level3",
  courseName: "First Aid at Work Level 3",
  title: "First Aid at Work Level 3",
  description: "Three days to the full first-aider certificate, valid for three years and accepted for close protection.",
  image: "/images/courses/first-aid-at-work-level3.svg",
  link: "/first-aid-at-work-level3",
  category: "medical",
  price: 300,
  duration: "3 days",
  days: 3,
  level: "Level 3",
  location: provider.venue,
  overview: [
    "This is the Level 3 Award in First Aid at Work, the full training for a workplace first aider under the Health and Safety (First-Aid) Regulations 1981. Larger and riskier workplaces usually need at least one person who holds it, and you need it before you train for close protection.",
    "The first day covers emergencies. The second and third go further, into injuries and illnesses that take more judgement: chest and spinal injuries, fractures, poisoning, heart attack, stroke and severe allergy. You are assessed by practical tasks and multiple-choice papers.",
  ],
  syllabus: [
    {
      title: "Emergency first aid in the workplace",
      topics: [
        "The first aider’s role, consent, infection and records",
        "Assessing an incident and the primary survey",
        "Resuscitation, defibrillators and the recovery position",
        "Choking, bleeding, shock and seizures",
        "Minor injuries",
      ],
    },
    {
      title: "Secondary survey",
      topics: ["Examining from head to toe", "Taking a history and vital signs", "Handing over to the ambulance crew"],
    },
    {
      title: "Injuries",
      topics: [
        "Fractures, dislocations, sprains and strains",
        "Head and suspected spinal injuries",
        "Chest injuries",
        "Burns, scalds and eye injuries",
        "Exposure to harmful substances and electricity",
      ],
    },
    {
      title: "Major illness",
      topics: ["Heart attack and angina", "Stroke and epilepsy", "Asthma and anaphylaxis", "Diabetic emergencies"],
    },
  ],
  features: [
    "You leave with a Level 3 certificate, valid for three years",
    "You leave able to take charge until the ambulance crew arrives",
    "Accepted as the first-aid certificate for close protection training",
    "Certificate and manual are in the price",
  ],
  prerequisites: [
    "No experience needed",
    "Be able to kneel and practise on the floor; tell us if that is hard for you before you book",
    "Come to all three days: the qualification needs every hour",
  ],
  bring: ["Photo identification", "Comfortable clothes you can kneel in", "A packed lunch"],
} satisfies Course;
