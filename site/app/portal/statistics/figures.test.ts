import { expect, test } from "vitest";
import { comparisonText, scaleTop } from "./figures.ts";

test.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [11, 20],
  [21, 40],
  [41, 100],
  [12_345, 20_000],
])("a chart of at most %i goes up to %i", (most, top) => {
  expect(scaleTop(most)).toBe(top);
});

test.each([
  [112, 100, 30, "+12% on the 30 days before (100)"],
  [50, 1000, 7, "-95% on the 7 days before (1,000)"],
  [1000, 1001, 90, "About the same as the 90 days before (1,001)"],
  [5, 0, 365, "None in the 365 days before"],
])("%i after %i in %i days is: %s", (now, before, days, text) => {
  expect(comparisonText(now, before, days)).toBe(text);
});
