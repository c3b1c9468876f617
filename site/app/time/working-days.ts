import { addDays, LONDON, weekdayOf } from "./london-time.ts";

const SATURDAY = 6;
const SUNDAY = 0;

/** The date `count` working days (Monday to Friday) after a date, as `2027-03-29`. */
export function workingDayAfter(date: string, count: number): string {
  let day = date;
  for (let left = count; left > 0;) {
    day = addDays(day, 1);
    if (!isWeekend(day)) left -= 1;
  }
  return day;
}

/** The instant `count` working days after `now` in Europe/London, at the same time of day there. */
export function addWorkingDays(now: Temporal.Instant, count: number): Temporal.Instant {
  const here = now.toZonedDateTimeISO(LONDON);
  const day = Temporal.PlainDate.from(workingDayAfter(here.toPlainDate().toString(), count));
  return day.toZonedDateTime({ timeZone: LONDON, plainTime: here.toPlainTime() }).toInstant();
}

/** True for a Saturday or Sunday. */
export function isWeekend(date: string): boolean {
  const weekday = weekdayOf(date);
  return weekday === SATURDAY || weekday === SUNDAY;
}
