import { expect, test } from "vitest";
import { daySearch } from "./day-search.ts";

// A Sunday.
const TODAY = "2026-11-22";
const DAYS = ["2025-11-24", "2026-11-16", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-29", "2026-11-30", "2027-01-12", "2027-11-24"];

test.each<[string, string[]]>([
  ["tue", ["2026-11-24", "2027-01-12"]],
  ["Tuesday", ["2026-11-24", "2027-01-12"]],
  ["tue 12", ["2027-01-12"]],
  ["Tue 12 Jan 2027", ["2027-01-12"]],
  ["tue, 12th january", ["2027-01-12"]],
  ["24 nov", ["2025-11-24", "2026-11-24", "2027-11-24"]],
  ["24/11", ["2025-11-24", "2026-11-24", "2027-11-24"]],
  ["24/11/2026", ["2026-11-24"]],
  ["24/11/26", ["2026-11-24"]],
  ["24.11.2026", ["2026-11-24"]],
  ["2026-11-24", ["2026-11-24"]],
  ["november 2027", ["2027-11-24"]],
  ["jan", ["2027-01-12"]],
  ["today", ["2026-11-22"]],
  ["tomorrow", ["2026-11-23"]],
  ["this week", ["2026-11-16", "2026-11-22"]],
  ["next week", ["2026-11-23", "2026-11-24", "2026-11-29"]],
  ["tue next week", ["2026-11-24"]],
  ["mon 12", []],
])("%j names %j", (text, expected) => {
  expect(DAYS.filter((day) => daySearch(text, TODAY)?.matches(day))).toEqual(expected);
});

test.each([
  ["efa tue", "efa", "tue"],
  ["Ada 24 Nov step-free", "ada step-free", "24 nov"],
])("%j also searches for %j", (text, words, dayWords) => {
  expect(daySearch(text, TODAY)).toMatchObject({ words, dayWords });
});

test.each(["", "ada", "simon", "tuesdays", "24", "07700 900123", "32/11", "24/13", "marion", "week"])("%j names no day", (text) => {
  expect(daySearch(text, TODAY)).toBeNull();
});
