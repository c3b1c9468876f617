import { courseByName } from "content/courses/index.ts";
import type { DaysOfWeek } from "content/date-filters.ts";
import { provider } from "content/provider.ts";
import type { CategoryColour, Course } from "content/types.ts";
import { categories } from "content/categories.ts";
import { LRUCache } from "lru-cache";
import type { Database } from "../../../supabase/database.types.ts";
import { lastDayOf, runningDays, type RunningDays } from "../time/last-day.ts";
import { londonDate, type LondonDate } from "../time/london-date.ts";
import { londonToday } from "../time/london-time.ts";
import { pounds } from "./money.ts";
import { teachingHours } from "../time/teaching-hours.ts";
import { isWeekend } from "../time/working-days.ts";

/** A row of `course_dates` without the column for staff. */
export type CourseDateRow = Omit<Database["public"]["Tables"]["course_dates"]["Row"], "trainer_id">;

/** "open" if places can be booked, otherwise the reason why not. */
export type Availability = "open" | "full" | "cancelled" | "postponed";

/** The days and times of a course date as text. */
interface Schedule {
  date: LondonDate;
  /** The first day in London, as `2026-11-30`. */
  firstDay: string;
  /** The last day of a course of several days: as `2026-12-04`, "Friday 4 December 2026" and "Fri 4 Dec". */
  lastDay: { date: string; long: string; short: string } | null;
  /** The times of each day: "09:00 to 17:00". */
  hours: string;
  daysOfWeek: readonly DaysOfWeek[];
  /** The days of the week in words: "weekday", or of several days "weekdays and weekends". */
  week: string;
}

/** A course date as pages show it, formatted on the server. */
export interface CourseDate extends Schedule {
  id: string;
  /** True if the course has another venue than most courses. */
  elsewhere: boolean;
  availability: Availability;
  /** The availability in words: "5 places left". */
  places: string;
  note: string | null;
  course: CourseFacts;
}

/** The facts of a course in lists and cards. */
export interface CourseFacts {
  title: string;
  link: string;
  location: string;
  price: string;
  duration: string;
  colour: CategoryColour;
}

/** Formats rows of `course_dates`, without those of a course that the catalogue does not have. */
export function toCourseDates(rows: readonly CourseDateRow[]): CourseDate[] {
  return rows.map(toCourseDate).filter((date) => date !== undefined);
}

/** The first of a course's dates that can be booked; dates are in order. */
export function nextStart(dates: readonly CourseDate[]): CourseDate | undefined {
  return dates.find(({ availability }) => availability === "open");
}

/** Formats a row of `course_dates`; undefined if the catalogue has no course of that name. */
export function toCourseDate(row: CourseDateRow): CourseDate | undefined {
  const course = courseByName(row.course_name);
  if (!course) return undefined;
  const availability = availabilityOf(row);
  return {
    ...scheduleOf(row),
    id: row.id,
    elsewhere: course.location !== provider.venue,
    availability,
    places: placesText(availability, placesLeft(row)),
    note: row.description,
    course: courseFacts(course),
  };
}

/** The size of the cache: the rows of one response. */
const MOST_SCHEDULES = 1000;
// Computing a schedule takes 40 microseconds, and most are the same when a page is rendered again.
const schedules = new LRUCache<string, Schedule>({ max: MOST_SCHEDULES });

function scheduleOf(row: CourseDateRow): Schedule {
  const key = `${row.course_date} ${row.end_date} ${row.course_name}`;
  const known = schedules.get(key);
  if (known) return known;
  const schedule = toSchedule(row);
  schedules.set(key, schedule);
  return schedule;
}

function toSchedule(row: RunningDays): Schedule {
  const firstDay = londonToday(Date.parse(row.course_date));
  const lastDay = laterDay(row, firstDay);
  const daysOfWeek = [...new Set(runningDays(row).map((day): DaysOfWeek => (isWeekend(day) ? "weekends" : "weekdays")))];
  return {
    date: londonDate(row.course_date),
    firstDay,
    lastDay,
    hours: teachingHours(row),
    daysOfWeek,
    week: lastDay ? daysOfWeek.join(" and ") : daysOfWeek.join("").replace(/s$/, ""),
  };
}

function laterDay(row: RunningDays, firstDay: string): CourseDate["lastDay"] {
  const date = lastDayOf(row);
  if (date === firstDay) return null;
  const { long, weekday, day, month } = londonDate(date);
  return { date, long, short: `${weekday} ${day} ${month}` };
}

/** Selects and formats the facts of a course. */
export function courseFacts(course: Course): CourseFacts {
  const { title, link, location, price, duration } = course;
  return { title, link, location, price: pounds(price), duration, colour: categoryColour(course) };
}

/** The colour of the category of a course. */
export function categoryColour(course: Course): CategoryColour {
  return categories.find((category) => category.id === course.category)?.colour ?? "tarn";
}

/** The availability of a row; formatting a whole row takes a hundred times as long. */
export function availabilityOf(row: CourseDateRow): Availability {
  const { status } = row;
  if (status === "cancelled" || status === "postponed") return status;
  return status === "full" || placesLeft(row) <= 0 ? "full" : "open";
}

function placesLeft({ places_left, capacity }: CourseDateRow): number {
  return places_left ?? capacity;
}

function placesText(availability: Availability, left: number): string {
  if (availability !== "open") return { full: "Full", cancelled: "Cancelled", postponed: "Postponed" }[availability];
  return left === 1 ? "1\u00A0place left" : `${left}\u00A0places left`;
}
