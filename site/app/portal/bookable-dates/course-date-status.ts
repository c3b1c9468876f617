import type { Database } from "../../../../supabase/database.types.ts";
import { DAY_MS } from "../../time/durations.ts";
import { lastDayOf, LONGEST_DAYS, type RunningDays } from "../../time/last-day.ts";
import { londonToday } from "../../time/london-time.ts";

type CourseDate = Database["public"]["Tables"]["course_dates"]["Row"];

/** The status that staff set. */
export const SET_STATUSES = { open: "Open", confirmed: "Confirmed", full: "Full", cancelled: "Cancelled", postponed: "Postponed" };

/** The status of a course date as people see it: as staff set it, until it starts. */
export type CourseDateStatus = keyof typeof STATUS_LABELS;

/** The columns that a status is derived from. */
export type StatusColumns = RunningDays & Pick<CourseDate, "status">;

export const STATUS_LABELS = { ...SET_STATUSES, running: "Running", past: "Past" };

/** The course date of a record as its saves compare it: a date that is called off, postponed or deleted meanwhile differs. */
export const comparedDate = { label: "Course date", format: planInWords, show: planInWords };

const OTHER_PLANS: Readonly<Record<string, string>> = { cancelled: "called off", postponed: "postponed" };

function planInWords(date: Pick<CourseDate, "status"> | null): string {
  return date === null ? "deleted" : (OTHER_PLANS[date.status] ?? "takes place");
}

/** The status at a time in milliseconds. A course date runs until its last day ends in Britain. */
export function courseDateStatus(date: StatusColumns, now = Date.now()): CourseDateStatus {
  const { status } = date;
  if (status === "cancelled" || status === "postponed") return status;
  if (Date.parse(date.course_date) <= now) return isPast(date, now) ? "past" : "running";
  return status === "confirmed" || status === "full" ? status : "open";
}

/** True if the last day of a course date is over, whatever its status. */
export function isPast(date: RunningDays, now = Date.now()): boolean {
  const last = Date.parse(date.end_date ?? date.course_date);
  if (last > now) return false;
  // A calendar is needed only for dates that ended recently.
  return last < now - LONGEST_DAYS * DAY_MS || lastDayOf(date) < londonToday(now);
}
