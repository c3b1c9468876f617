import type { ComingSoonItem } from "./types.ts";

/** Announced courses, which have no page yet. */
export const comingSoon: readonly ComingSoonItem[] = [
  { id: "activity-first-aid", title: "Activity First Aid L3", duration: "one day", price: 150 },
  { id: "basic-life-support", title: "Basic Life Support", duration: "two days", price: 50 },
  { id: "emergency-paediatric-first-aid", title: "Emergency Paediatric First Aid", duration: "half day", price: 75 },
  { id: "paediatric-first-aid", title: "Paediatric First Aid L3", duration: "one day", price: 150 },
  { id: "first-aid-at-work-refresher", title: "First Aid at Work Refresher", duration: "three days", price: 150 },
];
