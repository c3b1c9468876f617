import { closedDay } from "../../time/closed-days.ts";
import { addDays, weekdayOf } from "../../time/london-time.ts";

export const MOST_REPEATS = 52;
const WEEK_DAYS = 7;
const ORDINALS = ["first", "second", "third", "fourth", "last"];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/** Weeks between two days, by rule. */
const WEEKS: Readonly<Record<string, number>> = { "1": 1, "2": 2, "4": 4 };

/** The rules by which a course date is repeated, and their labels; `days` has no rule. */
export function repeatRules(firstDay: string): Readonly<Record<string, string>> {
  return {
    "1": "Every week",
    "2": "Every 2 weeks",
    "4": "Every 4 weeks",
    month: `Every month, on the ${ORDINALS[weekOf(firstDay)]} ${WEEKDAYS[weekdayOf(firstDay)]}`,
    days: "On chosen days",
  };
}

/** Returns the next days by a rule; null if the number is not a whole number from 1 to `MOST_REPEATS`. */
export function daysByRule(firstDay: string, rule: string, timesText: string): string[] | null {
  const times = Number(timesText);
  if (timesText === "" || !Number.isInteger(times) || times < 1 || times > MOST_REPEATS) return null;
  const weeks = WEEKS[rule];
  return Array.from({ length: times }, (_, index) =>
    weeks === undefined ? inMonth(firstDay, index + 1) : addDays(firstDay, weeks * WEEK_DAYS * (index + 1)),
  );
}

/** Returns the marks of an unusual day: "Good Friday", "weekend". */
export function dayMarks(day: string, today: string): string[] {
  const weekday = weekdayOf(day);
  const marks = [closedDay(day), weekday === 0 || weekday === 6 ? "weekend" : undefined, day < today ? "past" : undefined];
  return marks.filter((mark) => mark !== undefined);
}

/** The same weekday of the same week of a later month; of its last week for the last one. */
function inMonth(firstDay: string, months: number): string {
  const first = new Date(`${firstDay.slice(0, 7)}-01T00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const begin = first.toISOString().slice(0, 10);
  const offset = (weekdayOf(firstDay) - weekdayOf(begin) + WEEK_DAYS) % WEEK_DAYS;
  const day = addDays(begin, offset + weekOf(firstDay) * WEEK_DAYS);
  return day.startsWith(begin.slice(0, 7)) ? day : addDays(day, -WEEK_DAYS);
}

/** The week of a month that a day is in, from 0; its fifth is the last. */
function weekOf(day: string): number {
  return Math.floor((Number(day.slice(8)) - 1) / WEEK_DAYS);
}
