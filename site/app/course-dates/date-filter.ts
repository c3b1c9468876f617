import { daysOfWeek, months, type DaysOfWeek, type Month } from "content/date-filters.ts";
import { londonToday } from "../time/london-time.ts";
import type { CourseDate, CourseDateRow } from "./course-date.ts";

/** The filter of a list of course dates. */
interface DateFilter {
  month: Month | undefined;
  /** Dates on only these days of the week. */
  days: DaysOfWeek | undefined;
}

/** Reads the filter of an address. */
export function dateFilter(search: URLSearchParams): DateFilter {
  return {
    month: months.find((month) => month === search.get("month")),
    days: daysOfWeek.find((days) => days === search.get("days")),
  };
}

/** True if a date passes the filter. */
export function passes({ date, daysOfWeek: runs }: CourseDate, { month, days }: DateFilter): boolean {
  return (month === undefined || monthOf(date) === month) && (days === undefined || runs.every((one) => one === days));
}

/** The months of dates as options of a filter, in the order of the dates. */
export function monthOptions(dates: readonly CourseDate[]): { value: Month; label: string }[] {
  return optionsOf(dates.map(({ date }) => monthOf(date)));
}

/** Selects the rows of a month, and the months of all rows as options, without formatting them. */
export function rowsOfMonth(rows: readonly CourseDateRow[], month: Month | undefined) {
  const monthsOfRows = rows.map((row) => months[Number(londonToday(Date.parse(row.course_date)).slice(5, 7)) - 1]);
  return {
    rows: month === undefined ? rows : rows.filter((_, index) => monthsOfRows[index] === month),
    monthsWithDates: optionsOf(monthsOfRows),
  };
}

function optionsOf(found: readonly (Month | undefined)[]): { value: Month; label: string }[] {
  return [...new Set(found)].filter((month) => month !== undefined).map((value) => ({ value, label: monthName(value) }));
}

/** "December" */
function monthName(month: Month): string {
  return month.charAt(0).toUpperCase() + month.slice(1);
}

function monthOf({ month }: CourseDate["date"]): Month | undefined {
  return months.find((name) => name.startsWith(month.toLowerCase().slice(0, 3)));
}
