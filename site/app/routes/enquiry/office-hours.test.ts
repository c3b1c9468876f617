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
])("at %s the page says “%s”", (now, answer) => {
  expect(officeAnswer(Temporal.Instant.from(now), provider.openingHours)).toBe(answer);
});
