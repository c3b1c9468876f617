import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { RunningDays } from "./last-day.ts";
import { toLondonTime } from "./london-time.ts";

const HOUR_MS = 3_600_000;

type TimedDate = Pick<RunningDays, "course_name" | "course_date">;

/** The hours of each day of a course date in London: "09:00 to 17:00". The portal reads them too, in browsers without `Temporal`. */
export function teachingHours(date: TimedDate): string {
  const { start, end } = startAndEnd(date);
  return `${start} to ${end}`;
}

/** The times at which each day of a course date starts and ends in London: "09:00" and "17:00". */
export function startAndEnd({ course_name, course_date }: TimedDate): { start: string; end: string } {
  const { closes } = provider.openingHours;
  const start = clock(course_date, 0);
  const hours = courseByName(course_name)?.hours;
  // The end of an evening course is unknown; two hours keep it after the start.
  const end = hours === undefined && closes > start ? closes : clock(course_date, hours ?? 2);
  return { start, end };
}

function clock(iso: string, hoursLater: number): string {
  return toLondonTime(new Date(Date.parse(iso) + hoursLater * HOUR_MS)).slice(11, 16);
}
