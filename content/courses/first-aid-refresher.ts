import { provider } from "../provider.ts";
import type { Course } from "../types.ts";

export const firstAidRefresher = {
  id: "first-aid-refresher",
  courseName: "Annual First Aid Refresher Course",
  title: "Annual First Aid Refresher",
  description: "A three-hour practical refresher each year, so that your first-aid skills stay current.",
  image: "/images/courses/first-aid-refresher.svg",
  link: "/first-aid-refresher",
  category: "refresher",
  price: 50,
  duration: "3 hours",
  days: 1,
  hours: 3,
  location: provider.venue,
  overview: [
    "A first-aid certificate lasts three years; the skills fade much sooner. The Health and Safety Executive strongly recommends that first aiders refresh them every year, and this is that refresher: three hours, almost all of them practical.",
    "It keeps you ready and shows your employer and your insurer that you are. It does not extend your certificate. When that runs out, take the full course again.",
  ],
  syllabus: [
    {
      title: "What has changed",
      topics: ["New guidelines since your last course", "Your kit, your defibrillator and your accident book"],
    },
    {
      title: "Life-saving skills",
      topics: ["The primary survey and the recovery position", "Resuscitation with a defibrillator", "Choking"],
    },
    {
      title: "Practice under pressure",
      topics: ["Serious bleeding and shock", "A sudden illness scenario", "Questions from your own year as a first aider"],
    },
  ],
  features: [
    "You leave with an annual refresher certificate for your training record",
    "You leave with your skills checked one to one",
    "No more than 16 learners to a group",
    `For groups, taught at your workplace within ${provider.serviceRadiusKm} km if you prefer`,
  ],
  prerequisites: [
    "Hold a first-aid certificate that is still valid",
    "Be able to kneel and practise on the floor; tell us if that is hard for you before you book",
  ],
  bring: ["Your first-aid certificate", "Comfortable clothes you can kneel in"],
  maxStudents: 16,
} satisfies Course;
