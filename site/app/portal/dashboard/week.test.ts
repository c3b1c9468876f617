import { expect, test } from "vitest";
import { londonWeek } from "./week.ts";

test.each([
  ["2026-11-23T00:00:00Z", 0, "2026-11-23", "2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z", "on its first instant"],
  ["2026-11-29T23:59:59Z", 0, "2026-11-23", "2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z", "on its last evening"],
  [
    "2027-06-27T23:30:00Z",
    0,
    "2027-06-28",
    "2027-06-27T23:00:00.000Z",
    "2027-07-04T23:00:00.000Z",
    "when Monday has begun in London, in summer",
  ],
  ["2027-03-24T12:00:00Z", 0, "2027-03-22", "2027-03-22T00:00:00.000Z", "2027-03-28T23:00:00.000Z", "in which the clocks go forward"],
  ["2026-12-30T12:00:00Z", 1, "2027-01-04", "2027-01-04T00:00:00.000Z", "2027-01-11T00:00:00.000Z", "after the one over New Year"],
])("the week of %s and %i later begins on %s: %s", (now, later, firstDay, begin, end) => {
  expect(londonWeek(Date.parse(now), later)).toEqual({ firstDay, begin, end });
});
