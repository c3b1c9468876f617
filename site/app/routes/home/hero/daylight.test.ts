import { expect, test } from "vitest";
import { daylight } from "./daylight.ts";

const penrith = { latitude: 54.664, longitude: -2.752 };

test.each([
  ["2026-06-21T12:00:00Z", "day"],
  ["2026-06-21T03:40:00Z", "dawn"],
  ["2026-06-21T20:55:00Z", "dusk"],
  ["2026-12-21T12:00:00Z", "day"],
  ["2026-12-21T08:30:00Z", "dawn"],
  ["2026-12-21T15:50:00Z", "dusk"],
  ["2026-12-21T17:00:00Z", "night"],
  ["2026-03-20T00:00:00Z", "night"],
])("at %s it is %s in Penrith", (instant, light) => {
  expect(daylight(new Date(instant), penrith)).toBe(light);
});
