import { daysBefore } from "../../time/durations.ts";
import { LONGEST_DAYS } from "../../time/last-day.ts";
import { startOfDay } from "../../time/london-time.ts";

/** The REST filter for course dates that may still run on a day. A date without a last day may run for as long as the longest course. */
export function mayRunOn(day: string): string {
  return `course_date.gte."${daysBefore(Date.parse(startOfDay(day)), LONGEST_DAYS)}",end_date.gte."${day}"`;
}
