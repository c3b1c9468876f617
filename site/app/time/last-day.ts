import { severalDays } from "content/courses/index.ts";
import type { Database } from "../../../supabase/database.types.ts";
import { addDays, londonToday } from "./london-time.ts";

export type RunningDays = Pick<Database["public"]["Tables"]["course_dates"]["Row"], "course_name" | "course_date" | "end_date">;

const DAYS: Readonly<Record<string, number>> = severalDays;
const SATURDAY = 6;
const SUNDAY = 0;

/** The length of the longest course including weekends, in days. */
export const LONGEST_DAYS = 40;

/** The last day of a course date: the one the office set, otherwise as many working days after the first as the course takes. */
export function lastDayOf({ course_name, course_date, end_date }: RunningDays): string {
  if (end_date !== null) return end_date;
  let day = londonToday(Date.parse(course_date));
  for (let left = (DAYS[course_name] ?? 1) - 1; left > 0;) {
    day = addDays(day, 1);
    if (!isWeekend(day)) left -= 1;
  }
  return day;
}

function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00Z`).getUTCDay();
  return weekday === SATURDAY || weekday === SUNDAY;
}
