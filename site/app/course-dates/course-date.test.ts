import { expect, test } from "vitest";
import { courseDateRow } from "../../test/support/course-date-row.ts";
import { toCourseDate } from "./course-date.ts";

const date = courseDateRow({ places_taken: 7, places_left: 5 });

test.each([
  [{}, "open", "5\u00A0places left"],
  [{ status: "confirmed", places_left: 1 }, "open", "1\u00A0place left"],
  [{ places_left: 0 }, "full", "Full"],
  [{ status: "full" }, "full", "Full"],
  [{ status: "cancelled" }, "cancelled", "Cancelled"],
  [{ status: "postponed" }, "postponed", "Postponed"],
])("a course date with %j is %s and shows “%s”", (change, availability, places) => {
  expect(toCourseDate({ ...date, ...change })).toMatchObject({ availability, places });
});

test.each([
  ["that the office set", { end_date: "2027-01-08" }, { date: "2027-01-08", long: "Friday 8 January 2027", short: "Fri 8 Jan" }],
  ["after five working days", {}, { date: "2027-01-11", long: "Monday 11 January 2027", short: "Mon 11 Jan" }],
  ["only if the course takes more than a day", { course_name: "Manual Handling" }, null],
])("a course date shows the last day %s", (_which, change, lastDay) => {
  expect(toCourseDate({ ...date, ...change })?.lastDay).toEqual(lastDay);
});

test.each([
  ["a weekday", { course_name: "Manual Handling" }, "09:00 to 13:00", "weekday"],
  ["a Saturday", { course_name: "Manual Handling", course_date: "2027-01-09T09:00:00Z" }, "09:00 to 13:00", "weekend"],
  ["five working days", {}, "09:00 to 17:00", "weekdays"],
  ["a Saturday and a Sunday", { course_date: "2027-01-09T09:00:00Z", end_date: "2027-01-10" }, "09:00 to 17:00", "weekends"],
  ["a Friday to a Sunday", { course_date: "2027-01-08T09:00:00Z", end_date: "2027-01-10" }, "09:00 to 17:00", "weekdays and weekends"],
])("a course date on %s shows its hours and days of the week", (_days, change, hours, week) => {
  expect(toCourseDate({ ...date, ...change })).toMatchObject({ hours, week });
});
