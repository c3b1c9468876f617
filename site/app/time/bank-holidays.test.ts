import { expect, test } from "vitest";
import { bankHoliday } from "./bank-holidays.ts";
import { addDays } from "./london-time.ts";

/** https://www.gov.uk/bank-holidays, England and Wales. */
const PUBLISHED: Readonly<Record<number, readonly string[]>> = {
  2024: ["2024-01-01", "2024-03-29", "2024-04-01", "2024-05-06", "2024-05-27", "2024-08-26", "2024-12-25", "2024-12-26"],
  2025: ["2025-01-01", "2025-04-18", "2025-04-21", "2025-05-05", "2025-05-26", "2025-08-25", "2025-12-25", "2025-12-26"],
  2026: ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-04", "2026-05-25", "2026-08-31", "2026-12-25", "2026-12-28"],
  2027: ["2027-01-01", "2027-03-26", "2027-03-29", "2027-05-03", "2027-05-31", "2027-08-30", "2027-12-27", "2027-12-28"],
  2028: ["2028-01-03", "2028-04-14", "2028-04-17", "2028-05-01", "2028-05-29", "2028-08-28", "2028-12-25", "2028-12-26"],
};

test.each(Object.entries(PUBLISHED))("the bank holidays of %s are those that the government published", (year, published) => {
  const days = Array.from({ length: 366 }, (_, index) => addDays(`${year}-01-01`, index)).filter((day) => day.startsWith(year));
  expect(days.filter((day) => bankHoliday(day) !== undefined)).toEqual(published);
});

test.each([
  ["2022-12-26", "Boxing Day"],
  ["2022-12-27", "Christmas Day"],
  ["2031-04-14", "Easter Monday"],
])("%s is %s", (day, name) => {
  expect(bankHoliday(day)).toBe(name);
});
