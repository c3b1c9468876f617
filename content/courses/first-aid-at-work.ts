import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const firstAidAtWork = {
  id: "first-aid-at-work",
  courseName: "First Aid at Work",
  title: "First Aid at Work",
  description: "One day of workplace first aid, planned around the hazards and the people of your own workplace.",
  image: "/images/courses/first-aid-at-work.svg",
  link: "/first-aid-at-work",
  category: "medical",
  price: 300,
  duration: "1 day",
  days: 1,
  location: provider.venue,
  overview: [
    "A kitchen, a workshop and a care home do not have the same accidents. Before this day we ask about yours, and then we practise for it: the injuries your risk assessment names, with the kit you have, in the places you work.",
    "It suits teams with an emergency first aider or an appointed person, and first aiders who want more practice between certificates. Your trainer assesses you throughout the day by watching what you do.",
    "It does not replace the three-day First Aid at Work Level 3. If your assessment of needs calls for a fully trained first aider, take that one; ask us if you are not sure.",
  ],
  syllabus: [
    {
      title: "Your workplace",
      topics: [
        "Reading your own risk assessment for first aid",
        "Who does what, where the kit is and who meets the ambulance",
        "Consent, infection and the accident book",
      ],
    },
    {
      title: "Saving a life",
      topics: [
        "The primary survey and the recovery position",
        "Resuscitation and the defibrillator",
        "Choking",
        "Serious bleeding and shock",
      ],
    },
    {
      title: "The accidents you are likely to meet",
      topics: ["Burns, chemicals and eyes", "Falls, fractures and head injuries", "Crush injuries, cuts and amputations"],
    },
    {
      title: "Illness at work",
      topics: ["Heart attack and stroke", "Asthma, severe allergy, diabetes and seizures", "Scenarios written for your site"],
    },
  ],
  features: [
    "You leave with a certificate that says what you practised and when",
    "You leave with an emergency plan for your own workplace",
    "Scenarios drawn from your risk assessment",
    `For groups, taught at your workplace within ${provider.serviceRadiusKm} km if you prefer`,
  ],
  prerequisites: [
    "No experience needed",
    "Tell us a week ahead what your workplace does and what its hazards are",
    "Be able to kneel and practise on the floor; tell us if that is hard for you before you book",
  ],
  bring: ["Your first-aid risk assessment, if you have one", "Comfortable clothes you can kneel in", "A packed lunch"],
} satisfies Course;
