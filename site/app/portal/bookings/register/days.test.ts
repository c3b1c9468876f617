import { expect, test } from "vitest";
import { dayGroups, daysInWords, hasTwoHalves } from "./days.ts";

const date = (course_name: string, course_date: string, end_date: string | null = null) => ({ course_name, course_date, end_date });

test("a course of eight days has one group of its working days", () => {
  const eight = date("Lvl 2 Door Supervisor", "2026-12-03T09:00:00Z");
  expect(dayGroups(eight)).toEqual([
    {
      first: 1,
      last: 8,
      days: ["Thu 3 Dec", "Fri 4 Dec", "Mon 7 Dec", "Tue 8 Dec", "Wed 9 Dec", "Thu 10 Dec", "Fri 11 Dec", "Mon 14 Dec"],
    },
  ]);
  expect(daysInWords(eight)).toBe("Thu 3 Dec to Mon 14 Dec 2026 (8 days)");
});

test("a longer course has groups of eight days", () => {
  const groups = dayGroups(date("Lvl 3 Close Protection", "2027-01-11T09:00:00Z"));
  expect(groups.map(({ first, last, days }) => [first, last, days.length])).toEqual([
    [1, 8, 8],
    [9, 16, 8],
    [17, 24, 8],
  ]);
});

test("a course of one day names its day", () => {
  const one = date("Manual Handling", "2026-12-31T09:00:00Z");
  expect(dayGroups(one)).toEqual([{ first: 1, last: 1, days: ["Thu 31 Dec"] }]);
  expect(daysInWords(one)).toBe("Thu 31 Dec 2026");
});

test.each([
  ["a day from nine to five", "Lvl 2 CCTV", "2030-07-01T08:00:00Z", true],
  ["half a day in the morning", "Manual Handling", "2030-07-01T08:00:00Z", false],
  ["an afternoon", "Annual First Aid Refresher Course", "2030-07-01T12:00:00Z", false],
  ["an evening", "Lvl 2 CCTV", "2030-07-01T17:00:00Z", false],
])("%s has two halves: %s %s %s", (_what, name, start, two) => {
  expect(hasTwoHalves(date(name, start))).toBe(two);
});
