import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const emergencyFirstAidWork = {
  id: "emergency-first-aid-work",
  courseName: "Emergency First Aid Work Level 3",
  title: "Emergency First Aid at Work Level 3",
  description: "One day to the regulated certificate for emergency first aiders at work, and before security training.",
  image: "/images/courses/emergency-first-aid-work.svg",
  link: "/emergency-first-aid-work",
  category: "medical",
  price: 150,
  // The price list gives no length. One day: the qualification asks for at least six hours of teaching.
  duration: "1 day",
  days: 1,
  level: "Level 3",
  location: provider.venue,
  overview: [
    "This is the Level 3 Award in Emergency First Aid at Work. Employers whose risk assessment calls for an emergency first aider can rely on it, and so can anyone about to train as a door supervisor or security officer, who must hold it or its equivalent before the first day.",
    "The day is practical. You treat a casualty who is unconscious, choking, bleeding or in shock, again and again, in groups of no more than 12. You are assessed by showing your skills and by a short multiple-choice paper.",
  ],
  syllabus: [
    {
      title: "The role of the emergency first aider",
      topics: [
        "Your responsibilities, consent and preventing infection",
        "What belongs in the first-aid kit and how to use it",
        "Recording what happened and what you did",
      ],
    },
    {
      title: "Assessing an incident",
      topics: ["Making the scene safe", "The primary survey", "Opening the airway", "Getting help that fits the emergency"],
    },
    {
      title: "A casualty who does not respond",
      topics: ["Resuscitation of an adult", "Using a defibrillator", "The recovery position and watching breathing", "Seizures"],
    },
    {
      title: "Choking, bleeding and shock",
      topics: [
        "Mild and severe choking",
        "Controlling life-threatening bleeding with dressings and tourniquets",
        "Recognising and treating shock",
      ],
    },
    {
      title: "Minor injuries",
      topics: ["Small cuts, grazes and bruises", "Minor burns and scalds", "Small splinters"],
    },
  ],
  features: [
    "You leave with a Level 3 certificate, valid for three years",
    "You leave with the first aid you need before door supervisor or security officer training",
    "No more than 12 learners to a group",
    "Certificate and manual are in the price",
  ],
  prerequisites: [
    "Be 14 or over",
    "No experience needed",
    "Be able to kneel and practise on the floor; tell us if that is hard for you before you book",
  ],
  bring: ["Photo identification", "Comfortable clothes you can kneel in", "A packed lunch"],
  maxStudents: 12,
  minimumAge: 14,
} satisfies Course;
