import { expect, test } from "vitest";
import { isPast, courseDateStatus, type CourseDateStatus } from "./course-date-status.ts";

const NOON = Date.parse("2027-03-03T12:00:00Z");

test.each<[CourseDateStatus, status: string, start: string, end: string | null]>([
  ["open", "open", "2027-03-03T12:01:00Z", null],
  ["confirmed", "confirmed", "2027-03-04T09:00:00Z", null],
  ["full", "full", "2027-03-04T09:00:00Z", "2027-03-05"],
  ["running", "full", "2027-03-03T09:00:00Z", null],
  ["running", "open", "2027-02-15T09:00:00Z", "2027-03-03"],
  ["running", "confirmed", "2027-02-15T09:00:00Z", "2027-04-01"],
  ["past", "open", "2027-03-02T22:00:00Z", null],
  ["past", "confirmed", "2027-02-15T09:00:00Z", "2027-03-02"],
  ["past", "full", "2020-01-06T09:00:00Z", null],
  // A cancelled or postponed date keeps its status.
  ["cancelled", "cancelled", "2027-03-04T09:00:00Z", null],
  ["cancelled", "cancelled", "2020-01-06T09:00:00Z", null],
  ["postponed", "postponed", "2027-03-03T09:00:00Z", null],
])("the status is %s for a date that is set to %s, from %s to %s", (expected, status, course_date, end_date) => {
  expect(courseDateStatus({ course_name: "Manual Handling", status, course_date, end_date }, NOON)).toBe(expected);
});

test.each([
  ["2027-07-01T22:59:00Z", false],
  ["2027-07-01T23:00:00Z", true],
])("a day ends at midnight in Britain: at %s, past is %s", (now, past) => {
  for (const end_date of [null, "2027-07-01"])
    expect(isPast({ course_name: "Manual Handling", course_date: "2027-07-01T08:00:00Z", end_date }, Date.parse(now))).toBe(past);
});

test("a course of several days runs until the last of them, also without an entered last day", () => {
  const date = { course_name: "Lvl 2 CCTV", course_date: "2027-02-25T09:00:00Z", end_date: null, status: "open" };
  expect(courseDateStatus(date, NOON)).toBe("running");
  expect(courseDateStatus(date, Date.parse("2027-03-04T09:00:00Z"))).toBe("past");
});
