import { describe, expect, test } from "vitest";
import { isWebsiteStats } from "./schema.ts";

const stats = { periodDays: 30, uniqueVisitors: 2, totalPageViews: 5, mostViewedPages: [{ title: "Home", page_path: "/", views: 5 }] };

describe("isWebsiteStats", () => {
  test.each([
    ["a full answer", stats],
    ["an answer without views", { ...stats, mostViewedPages: [] }],
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
  ])("refuses %s", (_name, value) => {
    expect(isWebsiteStats(value)).toBe(false);
  });
});
