import { expect, test } from "vitest";
import { timeLeft } from "./time-left.ts";

test("days, hours, minutes and seconds add up to the time until the date", () => {
  const now = Date.parse("2026-11-21T09:26:13Z");
  expect(timeLeft(Date.parse("2026-12-01T09:00:00Z"), now)).toEqual({ days: 9, hours: 23, minutes: 33, seconds: 47 });
});

test("a course after the clocks go forward is an hour nearer than the clock times suggest", () => {
  // From 09:00 GMT on Saturday to 09:00 BST on Sunday.
  expect(timeLeft(Date.parse("2026-03-29T09:00:00+01:00"), Date.parse("2026-03-28T09:00:00Z"))).toEqual({
    days: 0,
    hours: 23,
    minutes: 0,
    seconds: 0,
  });
});

test("a date in the past has no time left", () => {
  expect(timeLeft(1000, 1000)).toBeNull();
  expect(timeLeft(1000, 5000)).toBeNull();
});

test("an invalid date has no time left", () => {
  expect(timeLeft(Number.NaN, 0)).toBeNull();
});
