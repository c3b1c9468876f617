import { provider } from "./provider.ts";
import { reviewsAreSample } from "./reviews.ts";
import { teamIsSample } from "./team.ts";
import { visitIsSample } from "./visit.ts";

const parts = [
  ["people", teamIsSample],
  ["reviews", reviewsAreSample],
  ["contact details", provider.sample],
  ["facts about the rooms", visitIsSample],
] as const;

/** The parts of the content that are invented, in words: "people", "reviews". */
export const samples: readonly string[] = parts.filter(([, invented]) => invented).map(([part]) => part);
