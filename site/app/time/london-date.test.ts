import { expect, test } from "vitest";
import { londonDate, londonDay } from "./london-date.ts";

test("a winter instant is shown in UTC", () => {
  expect(londonDate("2026-11-30T09:00:00+00:00")).toEqual({
    instant: "2026-11-30T09:00Z",
    weekday: "Mon",
    day: "30",
    month: "Nov",
    year: "2026",
    time: "09:00",
    long: "Monday 30 November 2026",
  });
});

test("a summer instant is shown an hour later", () => {
  expect(londonDate("2026-06-01T08:00:00Z")).toMatchObject({ time: "09:00", day: "1" });
});

test("late on a summer evening in UTC it is already the next day", () => {
  expect(londonDate("2026-06-30T23:30:00Z")).toMatchObject({ day: "1", month: "Jul", time: "00:30" });
});

test("midnight is written as 00:00", () => {
  expect(londonDate("2026-12-01T00:00:00Z").time).toBe("00:00");
});

test("a calendar date without a time keeps its day", () => {
  expect(londonDay("2025-07-13")).toBe("13 July 2025");
});
