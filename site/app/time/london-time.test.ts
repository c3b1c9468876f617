import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromLondonTime, toLondonTime, startOfDay } from "./london-time.ts";

describe("fromLondonTime", () => {
  test.each([
    ["2027-01-11T09:00", "2027-01-11T09:00:00.000Z", "in winter"],
    ["2027-07-12T09:00", "2027-07-12T08:00:00.000Z", "in summer"],
    ["2027-03-28T00:59", "2027-03-28T00:59:00.000Z", "just before the clocks go forward"],
    ["2027-03-28T02:00", "2027-03-28T01:00:00.000Z", "just after the clocks went forward"],
    ["2027-10-31T00:59", "2027-10-30T23:59:00.000Z", "just before the hour that happens twice"],
    ["2027-10-31T01:00", "2027-10-31T00:00:00.000Z", "at the first time of the hour that happens twice"],
    ["2027-10-31T01:59", "2027-10-31T00:59:00.000Z", "at the end of the first time"],
    ["2027-10-31T02:00", "2027-10-31T02:00:00.000Z", "after the clocks went back"],
    ["2028-02-29T12:30", "2028-02-29T12:30:00.000Z", "on a leap day"],
    ["2026-12-31T23:59", "2026-12-31T23:59:00.000Z", "at the end of a year"],
    ["2027-07-01T00:00", "2027-06-30T23:00:00.000Z", "at midnight in summer"],
  ])("reads %s as %s: %s", (local, iso) => {
    expect(fromLondonTime(local)?.toISOString()).toBe(iso);
  });

  test.each([
    ["2027-03-28T01:00", "the hour the clocks jump over"],
    ["2027-03-28T01:59", "the end of that hour"],
    ["2027-02-29T09:00", "a day that does not exist"],
    ["2027-13-01T09:00", "a month that does not exist"],
    ["2027-01-11T24:00", "an hour that does not exist"],
    ["2027-01-11", "no time"],
    ["", "nothing"],
    ["next Monday", "words"],
  ])("refuses %s: %s", (local) => {
    expect(fromLondonTime(local)).toBeNull();
  });

  test("agrees with Temporal at every minute that exists, and refuses those that do not", () => {
    const from = Date.UTC(2000, 0, 1) / 60_000;
    const to = Date.UTC(2100, 0, 1) / 60_000;
    fc.assert(
      fc.property(fc.integer({ min: from, max: to }), (minute) => {
        const local = new Date(minute * 60_000).toISOString().slice(0, 16);
        const zoned = Temporal.PlainDateTime.from(local).toZonedDateTime("Europe/London", { disambiguation: "earlier" });
        const exists = zoned.toPlainDateTime().toString({ smallestUnit: "minute" }) === local;
        expect(fromLondonTime(local)?.getTime() ?? null).toBe(exists ? zoned.epochMilliseconds : null);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("toLondonTime", () => {
  test.each([
    ["2027-03-28T00:59:59Z", "2027-03-28T00:59"],
    ["2027-03-28T01:00:00Z", "2027-03-28T02:00"],
    ["2027-10-31T00:30:00Z", "2027-10-31T01:30"],
    ["2027-10-31T01:30:00Z", "2027-10-31T01:30"],
    ["2027-01-01T00:00:00Z", "2027-01-01T00:00"],
  ])("shows %s as %s", (iso, local) => {
    expect(toLondonTime(new Date(iso))).toBe(local);
  });

  test("returns an empty text for an invalid date", () => {
    expect(toLondonTime(new Date("never"))).toBe("");
  });
});

test.each([
  ["2026-11-23", "2026-11-23T00:00:00.000Z"],
  ["2027-06-28", "2027-06-27T23:00:00.000Z"],
  ["2027-03-28", "2027-03-28T00:00:00.000Z"],
  ["2027-03-29", "2027-03-28T23:00:00.000Z"],
])("%s starts in London at %s", (day, instant) => {
  expect(startOfDay(day)).toBe(instant);
});
