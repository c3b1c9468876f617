import { DAY_MS } from "./durations.ts";
import { londonToday } from "./london-time.ts";

/** The days until an instant as a calendar in London counts them: "in 8 days", "tomorrow" or "today". */
export function daysLeft(target: string, now: number): string {
  const days = (Date.parse(londonToday(Date.parse(target))) - Date.parse(londonToday(now))) / DAY_MS;
  if (days < 1) return "today";
  return days === 1 ? "tomorrow" : `in ${days}\u00A0days`;
}
