import { runningDays, type RunningDays } from "../../../time/last-day.ts";
import { londonDate } from "../../../time/london-date.ts";
import { startAndEnd } from "../../../time/teaching-hours.ts";

/** The days that fit beside the names on a sheet of A4 paper. */
const DAYS_ON_SHEET = 8;
const NOON = "12:00";
const LUNCH_ENDS = "13:00";

/** The day columns of one table. */
export interface DayGroup {
  /** The numbers of the first and the last day in the course. */
  first: number;
  last: number;
  /** "Thu 3 Dec" */
  days: readonly string[];
}

/** The days of a course date in groups that fit on a sheet. */
export function dayGroups(date: RunningDays): DayGroup[] {
  const days = runningDays(date).map(dayInWords);
  const groups = Math.ceil(days.length / DAYS_ON_SHEET);
  return Array.from({ length: groups }, (_, index) => {
    const from = index * DAYS_ON_SHEET;
    const own = days.slice(from, from + DAYS_ON_SHEET);
    return { first: from + 1, last: from + own.length, days: own };
  });
}

/** True if the days of a course date have a morning and an afternoon. */
export function hasTwoHalves(date: RunningDays): boolean {
  const { start, end } = startAndEnd(date);
  return start < NOON && end > LUNCH_ENDS;
}

/** "Thu 3 Dec to Mon 14 Dec 2026 (8 days)" */
export function daysInWords(date: RunningDays): string {
  const days = runningDays(date);
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const end = `${dayInWords(last)} ${last.slice(0, 4)}`;
  return days.length === 1 ? end : `${dayInWords(first)} to ${end} (${days.length} days)`;
}

function dayInWords(iso: string): string {
  const { weekday, day, month } = londonDate(iso);
  return `${weekday} ${day} ${month}`;
}
