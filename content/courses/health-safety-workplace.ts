import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const healthSafetyWorkplace = {
  id: "health-safety-workplace",
  courseName: "Health & Safety in Workplace Level 1",
  title: "Health & Safety in Workplace Level 1",
  description: "One day on spotting hazards, working safely and knowing what to say when something is wrong.",
  image: "/images/courses/health-safety-workplace.svg",
  link: "/health-safety-workplace",
  category: "health-safety",
  price: 50,
  duration: "1 day",
  days: 1,
  level: "Level 1",
  location: provider.venue,
  overview: [
    "Everyone at work has duties for health and safety, from the first shift on. This introductory day explains yours and your employer’s in plain words, and shows you how to use them.",
    "You walk a real workplace looking for hazards, think through a simple risk assessment and learn what to do about fire, accidents and near misses. It suits new starters, young workers and anyone returning to work. A short multiple-choice paper ends the day.",
  ],
  syllabus: [
    {
      title: "Duties",
      topics: [
        "What the Health and Safety at Work etc. Act 1974 asks of employers",
        "What it asks of you",
        "Who enforces it and what happens when it is ignored",
      ],
    },
    {
      title: "Hazards and risks",
      topics: [
        "The difference between a hazard and a risk",
        "The steps of a risk assessment",
        "Controls, from removing a hazard to wearing protection",
      ],
    },
    {
      title: "Common causes of harm",
      topics: [
        "Slips, trips and falls from height",
        "Lifting, screens and repetitive work",
        "Hazardous substances, electricity, machines and vehicles",
        "Noise, stress and fatigue",
      ],
    },
    {
      title: "When something happens",
      topics: [
        "Fire: prevention, alarm and evacuation",
        "First aid, accident books and near misses",
        "Reporting a concern and being heard",
      ],
    },
  ],
  features: [
    "You leave with a Level 1 health and safety certificate",
    "You leave with a checklist you can use on your own workplace the next day",
    "A hazard walk through a working building",
    `For groups, taught at your workplace within ${provider.serviceRadiusKm} km if you prefer`,
  ],
  prerequisites: ["No experience needed", "Tell us if reading or writing is difficult, and we help"],
  bring: ["Flat, closed shoes for the hazard walk", "A packed lunch"],
} satisfies Course;
