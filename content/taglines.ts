import { provider } from "./provider.ts";

/** The rotating lines of the hero. */
export const taglines: readonly string[] = [
  "The route to your licence, one waymark at a time.",
  "Know what to do before the ambulance comes.",
  `Security and first-aid training in ${provider.address.region}.`,
  "Real practice and straight answers, every day.",
  "Skills you hope never to need, ready when you do.",
];
