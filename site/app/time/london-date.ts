import { LONDON } from "./london-time.ts";

const parts = new Intl.DateTimeFormat("en-GB", { timeZone: LONDON, weekday: "short", day: "numeric", month: "short", year: "numeric" });
const longDay = new Intl.DateTimeFormat("en-GB", { timeZone: LONDON, weekday: "long", day: "numeric", month: "long", year: "numeric" });
const plainDay = new Intl.DateTimeFormat("en-GB", { timeZone: LONDON, day: "numeric", month: "long", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { timeZone: LONDON, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** An instant in Europe/London as text, formatted on the server so that the browser shows the same. */
export interface LondonDate {
  /** An ISO instant, without seconds of zero. */
  instant: string;
  /** "Mon" */
  weekday: string;
  /** "30" */
  day: string;
  /** "Nov" */
  month: string;
  /** "2026" */
  year: string;
  /** "09:00" */
  time: string;
  /** "Monday 30 November 2026" */
  long: string;
}

/** Formats an ISO instant in Europe/London. */
export function londonDate(iso: string): LondonDate {
  const date = new Date(iso);
  const part = new Map(parts.formatToParts(date).map(({ type, value }) => [type, value]));
  return {
    instant: date.toISOString().replace(":00.000Z", "Z"),
    weekday: part.get("weekday") ?? "",
    day: part.get("day") ?? "",
    month: part.get("month") ?? "",
    year: part.get("year") ?? "",
    time: clock.format(date),
    long: longDay.format(date).replace(",", ""),
  };
}

/** "Mon 30 Nov 2026" */
export function londonWeekday({ weekday, day, month, year }: Pick<LondonDate, "weekday" | "day" | "month" | "year">): string {
  return `${weekday} ${day} ${month} ${year}`;
}

/** "30 Nov 2026, 09:00" */
export function londonMoment({ day, month, year, time }: LondonDate): string {
  return `${day} ${month} ${year}, ${time}`;
}

/** "Monday 30 November 2026 at 09:00", of an ISO instant. */
export function londonDayAndTime(iso: string): string {
  const { long, time } = londonDate(iso);
  return `${long} at ${time}`;
}

/** "21 Nov", of an ISO instant or date. */
export function londonShortDay(iso: string): string {
  const { day, month } = londonDate(iso);
  return `${day} ${month}`;
}

/** "21 November 2026", of an ISO instant or date. */
export function londonDay(iso: string): string {
  return plainDay.format(new Date(iso));
}
