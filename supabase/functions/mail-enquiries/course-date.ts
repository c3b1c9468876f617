import { courseByName } from "content/courses/index.ts";
import { z } from "zod";
import { teachingHours } from "../../../site/app/course-dates/teaching-hours.ts";
import { lastDayOf } from "../../../site/app/time/last-day.ts";
import { londonDate } from "../../../site/app/time/london-date.ts";

/** The columns of a course date that mails show. */
export const mailedDateSchema = z.object({
  id: z.string(),
  course_name: z.string(),
  course_date: z.string(),
  end_date: z.string().nullable(),
  status: z.string(),
  updated_at: z.string(),
});

type MailedDate = z.infer<typeof mailedDateSchema>;

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
