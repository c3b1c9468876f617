import { expect, test } from "vitest";
import { daysLeft } from "./days-left.ts";
import { londonToday } from "./london-time.ts";

const COURSE = "2026-12-08T09:00:00Z";

test.each([
  ["2026-11-30T10:00:00Z", "in 8 days"],
  ["2026-11-30T08:00:00Z", "in 8 days"],
  ["2026-12-06T23:00:00Z", "in 2 days"],
  ["2026-12-07T10:00:00Z", "tomorrow"],
  ["2026-12-08T00:30:00Z", "today"],
])("a course on Tuesday 8 December at 09:00 starts, at %s, “%s”", (now, words) => {
  expect(left(COURSE, now).replace("\u00A0", " ")).toBe(words);
});

test("the days are those of London, also over the change of the clocks", () => {
  // Shortly after midnight in London on Saturday 28 March, the day before the clocks go forward.
  expect(left("2026-03-30T08:00:00Z", "2026-03-28T00:10:00Z")).toBe("in 2\u00A0days");
  // Half past midnight on 2 July in London.
  expect(left("2026-07-03T08:00:00Z", "2026-07-01T23:30:00Z")).toBe("tomorrow");
});

function left(start: string, now: string): string {
  return daysLeft(londonToday(Date.parse(start)), londonToday(Date.parse(now)));
}
