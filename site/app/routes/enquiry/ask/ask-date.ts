import type { Course } from "content/types.ts";
import { courseByName } from "content/courses/index.ts";
import { toCourseDate, type CourseDate, type CourseDateRow } from "../../../course-dates/course-date.ts";
import { teachingHours } from "../../../time/teaching-hours.ts";

/** A course date and the request it takes: for a place, for its waiting list, or none for the reason given. */
export interface RequestedDate {
  course: Course;
  date: CourseDate;
  /** "09:00 to 17:00" */
  hours: string;
  state: "place" | "waiting" | "cancelled" | "postponed" | "past";
}

const STATES = { open: "place", full: "waiting", cancelled: "cancelled", postponed: "postponed" } as const;

/** Formats the row of a date; undefined if the catalogue has no course of that name. */
export function toRequestedDate(row: CourseDateRow, now: number): RequestedDate | undefined {
  const course = courseByName(row.course_name);
  const date = toCourseDate(row);
  if (!course || !date) return undefined;
  const state = Date.parse(row.course_date) <= now ? "past" : STATES[date.availability];
  return { course, date, hours: teachingHours(row), state };
}
