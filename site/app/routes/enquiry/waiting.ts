import { londonDate } from "../../time/london-date.ts";

/** What somebody begins with who comes from a date that is full, given its start as ISO text; empty where it is none. */
export function waitingQuestion(start: string | null): string {
  if (start === null || Number.isNaN(Date.parse(start))) return "";
  const { long, time } = londonDate(start);
  return `Please put me on the waiting list for ${long}, ${time}. I need 1 place.`;
}
