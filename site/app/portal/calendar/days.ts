import { everyDay } from "../../time/last-day.ts";
import { addDays, mondayOf } from "../../time/london-time.ts";

/** The views of the calendar and their labels. */
export const VIEWS = { month: "Month", week: "Week", list: "List" };
export type View = keyof typeof VIEWS;

const WEEK_DAYS = 7;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a name of a view. */
export function isView(name: string | null): name is View {
  return name !== null && Object.hasOwn(VIEWS, name);
}

/** Returns the day of the URL; today if it names none. */
export function dayOf(text: string | null, today: string): string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : today;
}

/** The days of a view: whole weeks from Monday; a list has only those of the month. */
export function daysOf(view: View, day: string): string[] {
  const [first, last] = view === "week" ? [day, day] : [`${day.slice(0, 7)}-01`, addDays(stepped("month", day, 1), -1)];
  return view === "list" ? everyDay(first, last) : everyDay(mondayOf(first), addDays(mondayOf(last), WEEK_DAYS - 1));
}

/** The day to show one page further or back: a week later, or the first of the next month. */
export function stepped(view: View, day: string, by: 1 | -1): string {
  if (view === "week") return addDays(day, by * WEEK_DAYS);
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + by, 1)).toISOString().slice(0, 10);
}

/** Splits days into weeks. */
export function weeksOf(days: readonly string[]): string[][] {
  return Array.from({ length: days.length / WEEK_DAYS }, (_, index) => days.slice(index * WEEK_DAYS, (index + 1) * WEEK_DAYS));
}
