import { severalDays } from "content/course-names.ts";
import type { Database } from "../../../supabase/database.types.ts";
import { addDays, londonToday } from "./london-time.ts";
import { isWeekend, workingDayAfter } from "./working-days.ts";

export type RunningDays = Pick<Database["public"]["Tables"]["course_dates"]["Row"], "course_name" | "course_date" | "end_date">;

const DAYS: Readonly<Record<string, number>> = severalDays;

/** The length of the longest course including weekends, in days. */
export const LONGEST_DAYS = 40;

/** The most days of a course date that are listed: a mistyped last day may be thousands of years away. */
export const MOST_DAYS = 366;

/** The last day of a course date: the one the office set, otherwise as many working days after the first as the course takes. */
export function lastDayOf({ course_name, course_date, end_date }: RunningDays): string {
  if (end_date !== null) return end_date;
  return workingDayAfter(londonToday(Date.parse(course_date)), (DAYS[course_name] ?? 1) - 1);
}

/**
 * The days on which a course date runs: every day if the course takes as many, otherwise the first, the last and the working days
 * between them.
 */
export function runningDays(date: RunningDays): string[] {
  const first = londonToday(Date.parse(date.course_date));
  const last = lastDayOf(date);
  const days = everyDay(first, last);
  if (days.length <= (DAYS[date.course_name] ?? 1)) return days;
  return days.filter((day) => day === first || day === last || !isWeekend(day));
}

/** The days from the first to the last, at most `MOST_DAYS`. */
export function everyDay(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last && days.length < MOST_DAYS; day = addDays(day, 1)) days.push(day);
  return days;
}
