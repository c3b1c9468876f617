import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const firstAid = {
  id: "first-aid",
  courseName: "Emergency First Aid",
  title: "Emergency First Aid",
  description: "Eight practical hours on what to do for an adult, a child or a baby until the ambulance comes.",
  image: "/images/courses/first-aid.svg",
  link: "/first-aid",
  category: "medical",
  price: 150,
  duration: "8 hours",
  days: 1,
  hours: 8,
  location: provider.venue,
  overview: [
    "Most emergencies happen at home, on the touchline or on the fell, in front of people who know the casualty. This day is for those people: parents, coaches, volunteers, walkers and anyone who would rather act than watch.",
    "You practise each skill until it stays: resuscitation and defibrillators, choking, bleeding, shock, burns and sudden illness, for adults, children and babies. There is no exam; your trainer watches you work and helps you until it is right.",
    "If you need a regulated certificate for your employer or before security training, take Emergency First Aid at Work Level 3 instead.",
  ],
  syllabus: [
    {
      title: "The first minute",
      topics: [
        "Looking after your own safety and theirs",
        "The primary survey: who needs what, and in what order",
        "Calling 999 and what the call handler will ask",
        "The recovery position",
      ],
    },
    {
      title: "When breathing stops",
      topics: ["Resuscitation for adults, children and babies", "Using a defibrillator", "Choking at every age"],
    },
    {
      title: "Injuries",
      topics: [
        "Serious bleeding and shock",
        "Burns and scalds",
        "Falls, fractures, sprains and head injuries",
        "Keeping someone warm when help is far away",
      ],
    },
    {
      title: "Sudden illness",
      topics: ["Heart attack and stroke", "Seizures, including febrile seizures", "Asthma, severe allergy and diabetes"],
    },
  ],
  features: [
    "You leave with a certificate of attendance and a pocket guide",
    "You leave having used a defibrillator with your own hands",
    "Adult, child and baby manikins for every pair",
    "Teaching that follows the current Resuscitation Council UK guidelines",
  ],
  prerequisites: ["No experience needed", "You will kneel and bend to practise; tell us if that is hard for you and we adapt"],
  bring: ["Comfortable clothes you can kneel in", "A packed lunch"],
} satisfies Course;
