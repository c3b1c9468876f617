import type { Provider } from "content/types.ts";

/** A sentence that says that the office is open, or when it opens next, in Europe/London. */
export function officeAnswer(now: Temporal.Instant, { days, opens, closes }: Provider["openingHours"]): string {
  const here = now.toZonedDateTimeISO("Europe/London");
  const openDays = new Set(days.map((day) => WEEKDAYS.indexOf(day) + 1));
  const opening = Temporal.PlainTime.from(opens);
  const time = here.toPlainTime();
  const openToday = openDays.has(here.dayOfWeek);

  if (
    openToday &&
    Temporal.PlainTime.compare(time, opening) >= 0 &&
    Temporal.PlainTime.compare(time, Temporal.PlainTime.from(closes)) < 0
  ) {
    return `The office is open now, until ${closes}.`;
  }
  if (openToday && Temporal.PlainTime.compare(time, opening) < 0) return `The office opens today at ${opens}.`;
  for (let ahead = 1; ahead <= WEEKDAYS.length; ahead += 1) {
    const day = here.add({ days: ahead });
    if (openDays.has(day.dayOfWeek))
      return `The office opens ${ahead === 1 ? "tomorrow" : `on ${WEEKDAYS[day.dayOfWeek - 1]}`} at ${opens}.`;
  }
  return "";
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
