import { severalDays } from "content/course-names.ts";
import type { Database } from "../../../supabase/database.types.ts";
import { londonToday } from "./london-time.ts";
import { workingDayAfter } from "./working-days.ts";

export type RunningDays = Pick<Database["public"]["Tables"]["course_dates"]["Row"], "course_name" | "course_date" | "end_date">;

const DAYS: Readonly<Record<string, number>> = severalDays;

/** The length of the longest course including weekends, in days. */
export const LONGEST_DAYS = 40;

/** The last day of a course date: the one the office set, otherwise as many working days after the first as the course takes. */
export function lastDayOf({ course_name, course_date, end_date }: RunningDays): string {
  if (end_date !== null) return end_date;
  return workingDayAfter(londonToday(Date.parse(course_date)), (DAYS[course_name] ?? 1) - 1);
}
