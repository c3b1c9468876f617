import type { Database } from "../../../../supabase/database.types.ts";
import { lastDayOf, LONGEST_DAYS, type RunningDays } from "../../time/last-day.ts";
import { londonToday } from "../../time/london-time.ts";

type CourseDate = Database["public"]["Tables"]["course_dates"]["Row"];

/** How a course date stands for whoever looks at it: as the office said, until it begins. */
export type CourseDateStatus = "open" | "confirmed" | "full" | "cancelled" | "postponed" | "running" | "past";

/** What that is told from. */
export type StatusColumns = RunningDays & Pick<CourseDate, "status">;

export const STATUS_LABELS: Readonly<Record<CourseDateStatus, string>> = {
  open: "Open",
  confirmed: "Confirmed",
  full: "Full",
  cancelled: "Cancelled",
  postponed: "Postponed",
  running: "Running",
  past: "Past",
};

const DAY_MS = 86_400_000;

/** How a date stands at an instant in milliseconds. It runs until its last day is over in Britain. */
export function courseDateStatus(date: StatusColumns, now = Date.now()): CourseDateStatus {
  const { status } = date;
  if (status === "cancelled" || status === "postponed") return status;
  if (Date.parse(date.course_date) <= now) return isPast(date, now) ? "past" : "running";
  return status === "confirmed" || status === "full" ? status : "open";
}

/** Whether the last day of a date is over, however it stood. */
export function isPast(date: RunningDays, now = Date.now()): boolean {
  const last = Date.parse(date.end_date ?? date.course_date);
  if (last > now) return false;
  // Only what ended lately needs a calendar.
  return last < now - LONGEST_DAYS * DAY_MS || lastDayOf(date) < londonToday(now);
}
