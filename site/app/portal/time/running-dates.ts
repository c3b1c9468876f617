import { daysBefore } from "../../time/durations.ts";
import { LONGEST_DAYS } from "../../time/last-day.ts";
import { startOfDay } from "../../time/london-time.ts";

/** The filter of the REST API for course dates that may still run on a day. One without a last day may if it began no longer ago than the longest course takes. */
export function mayRunOn(day: string): string {
  return `course_date.gte."${daysBefore(Date.parse(startOfDay(day)), LONGEST_DAYS)}",end_date.gte."${day}"`;
}
