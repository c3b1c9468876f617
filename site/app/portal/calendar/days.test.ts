import { expect, test } from "vitest";
import { dayOf, daysOf, stepped, weeksOf } from "./days.ts";

test.each([
  ["month", "2026-11-22", "2026-10-26", "2026-12-06", 42],
  ["month", "2027-02-10", "2027-02-01", "2027-02-28", 28],
  ["week", "2026-11-22", "2026-11-16", "2026-11-22", 7],
  ["list", "2026-12-31", "2026-12-01", "2026-12-31", 31],
] as const)("a %s with %s has the days from %s to %s", (view, day, first, last, count) => {
  const days = daysOf(view, day);
  expect([days[0], days.at(-1), days.length]).toEqual([first, last, count]);
});

test("weeks have seven days from Monday", () => {
  expect(weeksOf(daysOf("month", "2026-11-22")).map(([first]) => first)).toEqual([
    "2026-10-26",
    "2026-11-02",
    "2026-11-09",
    "2026-11-16",
    "2026-11-23",
    "2026-11-30",
  ]);
});

test.each([
  ["month", "2026-12-31", 1, "2027-01-01"],
  ["month", "2027-03-31", -1, "2027-02-01"],
  ["week", "2026-12-31", 1, "2027-01-07"],
  ["list", "2027-01-15", -1, "2026-12-01"],
] as const)("from a %s with %s the page %i away shows %s", (view, day, by, other) => {
  expect(stepped(view, day, by)).toBe(other);
});

test.each([
  ["2026-02-30x", "2026-11-22"],
  ["2026-13-01", "2026-11-22"],
  [null, "2026-11-22"],
  ["2027-01-01", "2027-01-01"],
])("the day %s of the URL is %s", (text, day) => {
  expect(dayOf(text, "2026-11-22")).toBe(day);
});
