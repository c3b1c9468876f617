import type { DaysOfWeek } from "content/date-filters.ts";
import { lastDayOf, type RunningDays } from "../time/last-day.ts";

/** The teaching days of a course date: the times of the first one, and the last one. */
export interface TeachingDays {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
  last: Temporal.PlainDate;
  /** True if the course runs on every day from the first to the last one, otherwise on working days only. */
  includesWeekends: boolean;
}

/** The number of working days in a week, which are its first. */
export const WORKING_DAYS = 5;
const WEEK = 7;
const LONDON = "Europe/London";

/** The teaching days of a course date. Each day ends after the teaching hours, or when the office closes (`17:00`). */
export function teachingDays(date: RunningDays, { days, hours }: { days: number; hours?: number }, closes: string): TeachingDays {
  const start = Temporal.Instant.from(date.course_date).toZonedDateTimeISO(LONDON);
  const closing = start.withPlainTime(Temporal.PlainTime.from(closes));
  // The end of an evening course is unknown; two hours keep it after the start.
  const known = Temporal.ZonedDateTime.compare(closing, start) > 0 ? closing : start.add({ hours: 2 });
  const last = Temporal.PlainDate.from(lastDayOf(date));
  return {
    start,
    end: hours === undefined ? known : start.add({ hours }),
    last,
    includesWeekends: start.toPlainDate().until(last).days < days,
  };
}

/** The days of the week on which a course date runs. */
export function daysOfWeekOf({ start, last, includesWeekends }: TeachingDays): DaysOfWeek[] {
  const length = Math.min(start.toPlainDate().until(last).days + 1, WEEK);
  const days = Array.from({ length }, (_, index) => ((start.dayOfWeek - 1 + index) % WEEK) + 1).filter(
    (day, index) => index === 0 || includesWeekends || day <= WORKING_DAYS,
  );
  return [...new Set(days.map((day) => (day <= WORKING_DAYS ? "weekdays" : "weekends")))];
}
