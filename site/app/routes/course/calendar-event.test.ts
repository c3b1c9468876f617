import { expect, test } from "vitest";
import { calendarFile, courseEnd } from "./calendar-event.ts";

const event = {
  uid: "1@training.example",
  title: "First Aid at Work; bring lunch, please",
  start: "2027-06-07T08:00:00+00:00",
  end: "2027-06-07T16:00:00Z",
  changed: "2026-11-21T09:00:00Z",
  status: "CONFIRMED" as const,
  location: "Penrith",
  url: "https://training.example/first-aid-at-work",
};

test("times are in UTC, so that every calendar shows them correctly", () => {
  expect(calendarFile(event)).toContain("DTSTART:20270607T080000Z\r\nDTEND:20270607T160000Z\r\n");
});

test("commas and semicolons are escaped", () => {
  expect(calendarFile(event)).toContain("SUMMARY:First Aid at Work\\; bring lunch\\, please\r\n");
});

test("no line is longer than 75 bytes, and folding loses nothing", () => {
  const title = "Safeguarding für alle – ".repeat(10);
  const file = calendarFile({ ...event, title });
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(title);
});

test("a one-day course ends when the office closes that day, in summer and winter", () => {
  expect(courseEnd("2027-06-07T08:00:00Z", null, 1, "17:00")).toBe("2027-06-07T16:00:00Z");
  expect(courseEnd("2027-01-11T09:00:00Z", null, 1, "17:00")).toBe("2027-01-11T17:00:00Z");
});

test("a longer course skips the weekend", () => {
  expect(courseEnd("2027-01-14T09:00:00Z", null, 3, "17:00")).toBe("2027-01-18T17:00:00Z");
});

test("an evening course does not end before it starts", () => {
  expect(courseEnd("2027-01-14T18:00:00Z", null, 1, "17:00")).toBe("2027-01-14T20:00:00Z");
});

test("a last day set by staff is used, also on a weekend", () => {
  expect(courseEnd("2027-03-26T09:00:00Z", "2027-03-28", 8, "17:00")).toBe("2027-03-28T16:00:00Z");
});

test("a later version of an event has a higher sequence number and the status", () => {
  const sequence = (changed: string): number => Number(/SEQUENCE:(\d+)/.exec(calendarFile({ ...event, changed }))?.[1]);
  expect(sequence("2026-11-21T09:00:01Z")).toBeGreaterThan(sequence(event.changed));
  expect(calendarFile({ ...event, status: "CANCELLED" })).toContain("STATUS:CANCELLED\r\n");
});
