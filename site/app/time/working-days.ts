const FRIDAY = 5;

/** The instant `count` working days (Monday to Friday) after `now` in Europe/London, at the same time of day there. */
export function addWorkingDays(now: Temporal.Instant, count: number): Temporal.Instant {
  let day = now.toZonedDateTimeISO("Europe/London");
  for (let left = count; left > 0;) {
    day = day.add({ days: 1 });
    if (day.dayOfWeek <= FRIDAY) left -= 1;
  }
  return day.toInstant();
}
