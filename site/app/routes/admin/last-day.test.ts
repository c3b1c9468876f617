import { courses } from "content/courses/index.ts";
import { expect, test } from "vitest";
import { courseEnd } from "../course/calendar-event.ts";
import { lastDayOf, LONGEST_DAYS } from "./last-day.ts";

const MONDAY = "2027-03-01T09:00:00Z";
const FRIDAY = "2027-03-05T09:00:00Z";

test.each([
  ["Manual Handling", MONDAY, null, "2027-03-01"],
  ["Lvl 2 CCTV", MONDAY, null, "2027-03-05"],
  ["Lvl 2 CCTV", FRIDAY, null, "2027-03-11"],
  ["Lvl 2 Door Supervisor", MONDAY, null, "2027-03-10"],
  // A course on a Saturday is over that day.
  ["Manual Handling", "2027-03-06T09:00:00Z", null, "2027-03-06"],
  // The day is London's: here the next one already.
  ["Manual Handling", "2027-07-01T23:30:00Z", null, "2027-07-02"],
  ["Lvl 2 CCTV", MONDAY, "2027-03-20", "2027-03-20"],
  ["Basket Weaving", MONDAY, null, "2027-03-01"],
])("%s from %s to %s ends on %s", (course_name, course_date, end_date, last) => {
  expect(lastDayOf({ course_name, course_date, end_date })).toBe(last);
});

test("it is the day visitors' calendars are given, for every course and every weekday, and none is longer than the longest", () => {
  for (const { courseName, days } of courses) {
    for (let day = 1; day <= 7; day += 1) {
      const course_date = `2027-03-0${day}T09:00:00Z`;
      const last = lastDayOf({ course_name: courseName, course_date, end_date: null });
      expect(last).toBe(courseEnd(course_date, null, days, "17:00").slice(0, 10));
      expect(Date.parse(last) - Date.parse(course_date.slice(0, 10))).toBeLessThan(LONGEST_DAYS * 86_400_000);
    }
  }
});
