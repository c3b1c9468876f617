import { addDays, fromLondonTime, toLondonTime } from "../../time/london-time.ts";

const WEEK_DAYS = 7;

/** Monday to Sunday in London, as ISO instants, and its first day. */
export interface Week {
  firstDay: string;
  begin: string;
  /** The first instant after it. */
  end: string;
}

/** The week that `now`, in milliseconds, is in, or one that many weeks later. */
export function londonWeek(now: number, later = 0): Week {
  const today = toLondonTime(new Date(now)).slice(0, 10);
  const daysSinceMonday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % WEEK_DAYS;
  const firstDay = addDays(today, later * WEEK_DAYS - daysSinceMonday);
  return { firstDay, begin: midnight(firstDay), end: midnight(addDays(firstDay, WEEK_DAYS)) };
}

/** The clocks change in the night but never at midnight, so every day has one. */
function midnight(day: string): string {
  return fromLondonTime(`${day}T00:00`)?.toISOString() ?? `${day}T00:00:00.000Z`;
}
