import { addDays, fromLondonTime, toLondonTime } from "../../time/london-time.ts";

const WEEK_DAYS = 7;

/** Monday to Sunday in London, as ISO text. */
export interface Week {
  firstDay: string;
  begin: string;
  /** The first instant after it. */
  end: string;
}

/** Returns the week of `now` in milliseconds, or a number of weeks later. */
export function londonWeek(now: number, later = 0): Week {
  const today = toLondonTime(new Date(now)).slice(0, 10);
  const daysSinceMonday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % WEEK_DAYS;
  const firstDay = addDays(today, later * WEEK_DAYS - daysSinceMonday);
  return { firstDay, begin: midnight(firstDay), end: midnight(addDays(firstDay, WEEK_DAYS)) };
}

/** Midnight exists on every day, because the clocks never change at midnight. */
function midnight(day: string): string {
  return fromLondonTime(`${day}T00:00`)?.toISOString() ?? `${day}T00:00:00.000Z`;
}
