import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { RunningDays } from "../time/last-day.ts";
import { teachingDays } from "./teaching-days.ts";

/** The hours of each day of a course date in London: "09:00 to 17:00". */
export function teachingHours(date: RunningDays): string {
  const { start, end } = teachingDays(date, courseByName(date.course_name) ?? { days: 1 }, provider.openingHours.closes);
  return [start, end].map((moment) => moment.toPlainTime().toString({ smallestUnit: "minute" })).join(" to ");
}
