import { describe, expect, test } from "vitest";
import { isWebsiteStats } from "./schema.ts";
import { statsFixture as stats } from "./stats.fixture.ts";

describe("isWebsiteStats", () => {
  test.each([
    ["a full answer", stats],
    ["an answer without views", { ...stats, mostViewedPages: [], details: { ...stats.details, referrers: [], funnel: [] } }],
  ])("takes %s", (_name, value) => {
    expect(isWebsiteStats(value)).toBe(true);
  });

  test.each([
    ["nothing", null],
    ["words", "stats"],
    ["a missing sum", { ...stats, totalPageViews: undefined }],
    ["a sum in words", { ...stats, uniqueVisitors: "2" }],
    ["no pages", { ...stats, mostViewedPages: null }],
    ["a page without a title", { ...stats, mostViewedPages: [{ page_path: "/", views: 5 }] }],
    ["no details", { ...stats, details: undefined }],
    ["a day without visitors", { ...stats, details: { ...stats.details, days: [{ day: "2026-11-21", views: 5 }] } }],
  ])("refuses %s", (_name, value) => {
    expect(isWebsiteStats(value)).toBe(false);
  });
});
