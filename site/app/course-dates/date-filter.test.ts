import { expect, test } from "vitest";
import { courseDateRow } from "../../test/support/course-date-row.ts";
import { toCourseDates } from "./course-date.ts";
import { monthOptions, rowsOfMonth } from "./date-filter.ts";

const rows = ["2027-03-31T08:00:00Z", "2027-03-31T23:30:00Z", "2027-12-31T23:30:00Z", "2028-04-03T08:00:00Z"].map((course_date, index) =>
  courseDateRow({ id: `00000000-0000-4000-8000-00000000000${index}`, course_name: "Manual Handling", course_date }),
);

test("the rows of a month are those that start in it in London, of any year", () => {
  expect(rowsOfMonth(rows, "april").rows).toEqual([rows[1], rows[3]]);
  expect(rowsOfMonth(rows, "december").rows).toEqual([rows[2]]);
  expect(rowsOfMonth(rows, "june").rows).toEqual([]);
  expect(rowsOfMonth(rows, undefined).rows).toEqual(rows);
});

test("the months of rows are those of their formatted dates", () => {
  const { monthsWithDates } = rowsOfMonth(rows, "april");
  expect(monthsWithDates.map(({ label }) => label)).toEqual(["March", "April", "December"]);
  expect(monthsWithDates).toEqual(monthOptions(toCourseDates(rows)));
});
