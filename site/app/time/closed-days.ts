import { closures } from "content/closures.ts";
import { bankHoliday } from "./bank-holidays.ts";

/** The name of the office closure on a day such as `2026-12-28`; undefined on other days. */
export function officeClosure(day: string): string | undefined {
  const inYear = day.slice("2026-".length);
  return closures.find(({ from, to }) => from <= inYear && inYear <= to)?.name;
}

/** The name of the bank holiday or office closure on a day; undefined on other days. */
export function closedDay(day: string): string | undefined {
  return bankHoliday(day) ?? officeClosure(day);
}
