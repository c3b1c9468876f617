import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { RunningDays } from "../time/last-day.ts";
import { toLondonTime } from "../time/london-time.ts";

const HOUR_MS = 3_600_000;

/** The hours of each day of a course date in London: "09:00 to 17:00". The portal reads them too, in browsers without `Temporal`. */
export function teachingHours({ course_name, course_date }: Pick<RunningDays, "course_name" | "course_date">): string {
  const { closes } = provider.openingHours;
  const start = clock(course_date, 0);
  const hours = courseByName(course_name)?.hours;
  // The end of an evening course is unknown; two hours keep it after the start.
  const end = hours === undefined && closes > start ? closes : clock(course_date, hours ?? 2);
  return `${start} to ${end}`;
}

function clock(iso: string, hoursLater: number): string {
  return toLondonTime(new Date(Date.parse(iso) + hoursLater * HOUR_MS)).slice(11, 16);
}
