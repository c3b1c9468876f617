import type { Category } from "./types.ts";

/** The categories in the order of the switcher. */
export const categories: readonly Category[] = [
  { id: "security", label: "Security Training", colour: "tarn" },
  { id: "medical", label: "Medical Training", colour: "bracken" },
  { id: "refresher", label: "Refresher Courses", colour: "moss" },
  { id: "health-safety", label: "Health & Safety", colour: "gorse" },
  { id: "coming-soon", label: "Coming Soon", colour: "heather" },
];
