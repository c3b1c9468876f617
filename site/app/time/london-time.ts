import { DAY_MS } from "./durations.ts";

/** The time zone of all dates and times that people see. */
export const LONDON = "Europe/London";
const MINUTE_MS = 60_000;
/** Summer time first: of an hour that occurs twice in autumn, the first is meant. */
const OFFSETS_MINUTES = [60, 0];
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

const wallClock = new Intl.DateTimeFormat("en-CA", {
  timeZone: LONDON,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

/**
 * The instant at which clocks in London show a `datetime-local` value such as `2027-03-29T09:00`.
 * Null if that time does not exist: an invalid date, or the hour that the clocks skip in spring.
 */
export function fromLondonTime(local: string): Date | null {
  if (!LOCAL_TIME.test(local)) return null;
  const asIfUtc = Date.parse(`${local}Z`);
  for (const offset of OFFSETS_MINUTES) {
    const instant = new Date(asIfUtc - offset * MINUTE_MS);
    if (toLondonTime(instant) === local) return instant;
  }
  return null;
}

/** An instant as a `datetime-local` value in Europe/London; empty for an invalid date. */
export function toLondonTime(instant: Date): string {
  if (Number.isNaN(instant.getTime())) return "";
  const part = Object.fromEntries(wallClock.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${part["year"]?.padStart(4, "0")}-${part["month"]}-${part["day"]}T${part["hour"]}:${part["minute"]}`;
}

/** The date in London at an instant in milliseconds, as `2027-03-29`. */
export function londonToday(instant: number): string {
  return toLondonTime(new Date(instant)).slice(0, 10);
}

/** The date `days` days later, as `2027-03-29`. */
export function addDays(day: string, days: number): string {
  // In UTC every day has 24 hours.
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The weekday of a date such as `2027-03-29`, 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00Z`).getUTCDay();
}

/** The Monday of the week of a date. */
export function mondayOf(day: string): string {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

/** The first instant of a day in London, as ISO text. Midnight exists on every day, because the clocks never change at midnight. */
export function startOfDay(day: string): string {
  return fromLondonTime(`${day}T00:00`)?.toISOString() ?? `${day}T00:00:00.000Z`;
}
