import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { calendarFile } from "./calendar-event.ts";
import type { CourseDateRow } from "./course-date.ts";
import { teachingDays } from "./teaching-days.ts";

const STATUS: Readonly<Record<string, "TENTATIVE" | "CANCELLED">> = { postponed: "TENTATIVE", cancelled: "CANCELLED" };
const TITLE_PREFIX: Readonly<Record<string, string>> = { postponed: "Postponed: ", cancelled: "Cancelled: " };

export type CalendarRow = Pick<CourseDateRow, "id" | "course_name" | "course_date" | "end_date" | "status" | "updated_at">;

/** A course date as an iCalendar file with its name; undefined if the catalogue has no course of that name. `requested`: places are not booked yet. */
export function courseDateCalendar(row: CalendarRow, siteUrl: string, requested = false): { name: string; text: string } | undefined {
  const course = courseByName(row.course_name);
  if (!course) return undefined;
  const { address, name, openingHours } = provider;
  const text = calendarFile({
    uid: `${row.id}@${new URL(siteUrl).host}`,
    title: `${TITLE_PREFIX[row.status] ?? (requested ? "Requested: " : "")}${course.title}, ${name}`,
    status: STATUS[row.status] ?? (requested ? "TENTATIVE" : "CONFIRMED"),
    days: teachingDays(row, course, openingHours.closes),
    changed: row.updated_at,
    location: `${course.location}, ${address.street}, ${address.locality} ${address.postalCode}`,
    url: siteUrl + course.link,
  });
  return { name: `${course.id}.ics`, text };
}
