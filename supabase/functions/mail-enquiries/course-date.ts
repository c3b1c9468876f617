import { courseByName } from "content/courses/index.ts";
import { teachingHours } from "../../../site/app/time/teaching-hours.ts";
import { lastDayOf } from "../../../site/app/time/last-day.ts";
import { londonDate } from "../../../site/app/time/london-date.ts";
import type { MailedDate } from "../_shared/mailed-date.ts";

/** "Door Supervisor, Wednesday 2 December 2026" */
export function dateTitle(date: MailedDate): string {
  return `${courseByName(date.course_name)?.title ?? date.course_name}, ${londonDate(date.course_date).long}`;
}

/** "Door Supervisor, Wednesday 2 December 2026, 09:00 to 17:00, until Friday 11 December 2026" */
export function dateInWords(date: MailedDate): string {
  const first = londonDate(date.course_date).long;
  const last = londonDate(lastDayOf(date)).long;
  return `${dateTitle(date)}, ${teachingHours(date)}${last === first ? "" : `, until ${last}`}`;
}
