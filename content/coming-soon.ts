import type { ComingSoonItem } from "./types.ts";

/** Announced courses, which have no page yet. */
export const comingSoon: readonly ComingSoonItem[] = [
  { title: "Activity First Aid L3", duration: "one day", price: 150 },
  { title: "Basic Life Support", duration: "two days", price: 50 },
  { title: "Emergency Paediatric First Aid", duration: "half day", price: 75 },
  { title: "Paediatric First Aid L3", duration: "one day", price: 150 },
  { title: "First Aid at Work Refresher", duration: "three days", price: 150 },
];
