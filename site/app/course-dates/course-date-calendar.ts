import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Course } from "content/types.ts";
import { runningDays } from "../time/last-day.ts";
import { londonToday } from "../time/london-time.ts";
import { startAndEnd } from "../time/teaching-hours.ts";
import { calendarFeed, calendarFile, type CalendarEvent } from "./calendar-event.ts";
import type { CourseDateRow } from "./course-date.ts";

const STATUS: Readonly<Record<string, "TENTATIVE" | "CANCELLED">> = { postponed: "TENTATIVE", cancelled: "CANCELLED" };
const TITLE_PREFIX: Readonly<Record<string, string>> = { postponed: "Postponed: ", cancelled: "Cancelled: " };

type CalendarRow = Pick<CourseDateRow, "id" | "course_name" | "course_date" | "end_date" | "status" | "updated_at">;
type StaffCalendarRow = CalendarRow & Pick<CourseDateRow, "capacity" | "places_taken">;

/** A course date as an iCalendar file with its name; undefined if the catalogue has no course of that name. `requested`: places are not booked yet. */
export function courseDateCalendar(row: CalendarRow, siteUrl: string, requested = false): { name: string; text: string } | undefined {
  const course = courseByName(row.course_name);
  if (!course) return undefined;
  return {
    name: `${course.id}.ics`,
    text: calendarFile({
      ...eventOf(row, course, siteUrl),
      title: `${TITLE_PREFIX[row.status] ?? (requested ? "Requested: " : "")}${course.title}, ${provider.name}`,
      status: STATUS[row.status] ?? (requested ? "TENTATIVE" : "CONFIRMED"),
      url: siteUrl + course.link,
    }),
  };
}

/** All course dates as a calendar for staff: the title has the places taken, and the link opens the portal. */
export function staffCalendar(rows: readonly StaffCalendarRow[], siteUrl: string): string {
  const events = rows.flatMap((row): CalendarEvent[] => {
    const course = courseByName(row.course_name);
    if (!course) return [];
    return [
      {
        ...eventOf(row, course, siteUrl),
        title: `${TITLE_PREFIX[row.status] ?? ""}${course.title}, ${row.places_taken} of ${row.capacity} taken`,
        status: STATUS[row.status] ?? "CONFIRMED",
        url: `${siteUrl}/admin/calendar?day=${londonToday(Date.parse(row.course_date))}`,
      },
    ];
  });
  return calendarFeed(`${provider.name}: course dates`, events);
}

function eventOf(row: CalendarRow, course: Course, siteUrl: string): Omit<CalendarEvent, "title" | "status" | "url"> {
  const { address } = provider;
  return {
    uid: `${row.id}@${new URL(siteUrl).host}`,
    days: runningDays(row),
    ...startAndEnd(row),
    changed: row.updated_at,
    location: `${course.location}, ${address.street}, ${address.locality} ${address.postalCode}`,
  };
}
