import type { CourseDate } from "../../course-dates/course-date.ts";

/** "Wed 2 Dec to Fri 11 Dec 2026" */
export function daysOf({ date, lastDay }: CourseDate): string {
  const first = `${date.weekday} ${date.day} ${date.month}`;
  return lastDay ? `${first} to ${lastDay.short} ${lastDay.date.slice(0, 4)}` : `${first} ${date.year}`;
}
