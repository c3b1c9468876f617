import { provider } from "content/provider.ts";
import { expect, test } from "vitest";
import { officeAnswer } from "./office-hours.ts";

test.each([
  ["2026-11-23T09:00:00Z", "The office is open now, until 17:00."],
  ["2026-11-23T08:59:59Z", "The office opens today at 09:00."],
  ["2026-11-23T17:00:00Z", "The office opens tomorrow at 09:00."],
  ["2026-11-27T17:30:00Z", "The office opens on Monday at 09:00."],
  ["2026-11-28T12:00:00Z", "The office opens on Monday at 09:00."],
  ["2026-11-29T12:00:00Z", "The office opens tomorrow at 09:00."],
  ["2026-06-01T08:30:00Z", "The office is open now, until 17:00."],
  // Christmas Day, the days after it on which the office is closed, and New Year's Day.
  ["2026-12-23T12:00:00Z", "The office is open now, until 17:00."],
  ["2026-12-23T18:00:00Z", "The office opens on Monday 4 January 2027 at 09:00."],
  ["2026-12-25T10:00:00Z", "The office opens on Monday 4 January 2027 at 09:00."],
  ["2026-12-28T10:00:00Z", "The office opens on Monday 4 January 2027 at 09:00."],
  ["2026-12-29T08:00:00Z", "The office opens on Monday at 09:00."],
  // The Thursday before Easter.
  ["2027-03-25T17:00:00Z", "The office opens on Tuesday at 09:00."],
])("at %s the page says “%s”", (now, answer) => {
  expect(officeAnswer(Temporal.Instant.from(now), provider.openingHours)).toBe(answer);
});
