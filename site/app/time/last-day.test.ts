import { courses } from "content/courses/index.ts";
import { expect, test } from "vitest";
import { lastDayOf, LONGEST_DAYS, runningDays } from "./last-day.ts";

const MONDAY = "2027-03-01T09:00:00Z";
const FRIDAY = "2027-03-05T09:00:00Z";

test.each([
  ["Manual Handling", MONDAY, null, "2027-03-01"],
  ["Lvl 2 CCTV", MONDAY, null, "2027-03-05"],
  ["Lvl 2 CCTV", FRIDAY, null, "2027-03-11"],
  ["Lvl 2 Door Supervisor", MONDAY, null, "2027-03-10"],
  // A one-day course on a Saturday ends that day.
  ["Manual Handling", "2027-03-06T09:00:00Z", null, "2027-03-06"],
  // In London it is already the next day.
  ["Manual Handling", "2027-07-01T23:30:00Z", null, "2027-07-02"],
  ["Lvl 2 CCTV", MONDAY, "2027-03-20", "2027-03-20"],
  ["Basket Weaving", MONDAY, null, "2027-03-01"],
])("%s from %s to %s ends on %s", (course_name, course_date, end_date, last) => {
  expect(lastDayOf({ course_name, course_date, end_date })).toBe(last);
});

test("the last day of every course on every weekday is its number of working days later, at most the longest", () => {
  for (const { courseName, days } of courses) {
    for (let first = 1; first <= 7; first += 1) {
      const begin = Temporal.PlainDate.from({ year: 2027, month: 3, day: first });
      const last = lastDayOf({ course_name: courseName, course_date: `${begin.toString()}T09:00:00Z`, end_date: null });
      const span = begin.until(last).days;
      const after = Array.from({ length: span }, (_, index) => begin.add({ days: index + 1 }));
      expect([courseName, first, after.filter(({ dayOfWeek }) => dayOfWeek <= 5).length]).toEqual([courseName, first, days - 1]);
      expect(span).toBeLessThan(LONGEST_DAYS);
      // It ends on a working day, not on the weekend after it.
      if (days > 1) expect(Temporal.PlainDate.from(last).dayOfWeek).toBeLessThanOrEqual(5);
    }
  }
});

test.each([
  ["the working days", null, ["2027-03-05", "2027-03-08", "2027-03-09", "2027-03-10", "2027-03-11"]],
  ["every day", "2027-03-07", ["2027-03-05", "2027-03-06", "2027-03-07"]],
  ["every day", "2027-03-09", ["2027-03-05", "2027-03-06", "2027-03-07", "2027-03-08", "2027-03-09"]],
  [
    "the working days and its last",
    "2027-03-13",
    ["2027-03-05", "2027-03-08", "2027-03-09", "2027-03-10", "2027-03-11", "2027-03-12", "2027-03-13"],
  ],
])("a course of five days from Friday runs on %s until %s", (_which, end_date, days) => {
  expect(runningDays({ course_name: "Lvl 2 CCTV", course_date: FRIDAY, end_date })).toEqual(days);
});

test("the days of a course with a mistyped year are those of one year", () => {
  expect(runningDays({ course_name: "Lvl 2 CCTV", course_date: FRIDAY, end_date: "9999-12-30" }).at(-1)).toBe("2028-03-03");
});
