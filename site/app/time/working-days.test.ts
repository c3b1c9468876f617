import { expect, test } from "vitest";
import { addWorkingDays } from "./working-days.ts";

test.each([
  ["Monday", "2026-11-23T10:30:00Z", "2026-11-30T10:30:00Z"],
  ["Wednesday", "2026-11-25T10:30:00Z", "2026-12-02T10:30:00Z"],
  ["Friday", "2026-11-27T10:30:00Z", "2026-12-04T10:30:00Z"],
  ["Saturday", "2026-11-28T10:30:00Z", "2026-12-04T10:30:00Z"],
  ["Sunday", "2026-11-29T10:30:00Z", "2026-12-04T10:30:00Z"],
])("five working days from a %s skip the weekend", (_day, now, cutoff) => {
  expect(addWorkingDays(Temporal.Instant.from(now), 5).toString()).toBe(cutoff);
});

test("the time of day in London stays the same when the clocks go forward", () => {
  // 10:00 GMT on Thursday; the clocks change on Sunday 29 March 2026.
  expect(addWorkingDays(Temporal.Instant.from("2026-03-26T10:00:00Z"), 5).toString()).toBe("2026-04-02T09:00:00Z");
});

test("the time of day in London stays the same when the clocks go back", () => {
  expect(addWorkingDays(Temporal.Instant.from("2026-10-22T09:00:00Z"), 5).toString()).toBe("2026-10-29T10:00:00Z");
});

test("the weekday is London's, not that of UTC", () => {
  // Friday 23:30 in UTC is already Saturday in London in summer.
  expect(addWorkingDays(Temporal.Instant.from("2026-06-05T23:30:00Z"), 5).toString()).toBe("2026-06-11T23:30:00Z");
});
