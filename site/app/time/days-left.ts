import { DAY_MS } from "./durations.ts";

/** The days from today until a date, both as `2027-03-29`, in words: "in 8 days", "tomorrow" or "today". */
export function daysLeft(date: string, today: string): string {
  const days = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  if (days < 1) return "today";
  return days === 1 ? "tomorrow" : `in ${days}\u00A0days`;
}
