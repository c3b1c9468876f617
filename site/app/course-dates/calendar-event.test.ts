import { expect, test } from "vitest";
import { courseDateRow } from "../../test/support/course-date-row.ts";
import { calendarFile } from "./calendar-event.ts";
import { courseDateCalendar } from "./course-date-calendar.ts";

function fileOf(course_name: string, course_date: string, end_date: string | null = null): string | undefined {
  return courseDateCalendar(courseDateRow({ course_name, course_date, end_date }), "https://training.example")?.text;
}

const event = {
  uid: "1@training.example",
  title: "First Aid at Work; bring lunch, please",
  days: ["2027-06-07"],
  start: "09:00",
  end: "17:00",
  changed: "2026-11-21T09:00:00Z",
  status: "CONFIRMED" as const,
  location: "Penrith",
  url: "https://training.example/first-aid-at-work",
};

test.each([
  ["summer", "2027-06-07T08:00:00Z", "20270607T090000", "20270607T170000"],
  ["winter", "2027-01-11T09:00:00Z", "20270111T090000", "20270111T170000"],
])("a one-day course in %s ends when the office closes that day, in London time", (_when, start, from, to) => {
  const file = fileOf("First Aid at Work", start);
  expect(file).toContain(`DTSTART;TZID=Europe/London:${from}\r\nDTEND;TZID=Europe/London:${to}\r\nSUMMARY`);
});

test.each([
  ["2027-01-11T13:00:00Z", "20270111T170000"],
  ["2027-01-11T09:00:00Z", "20270111T130000"],
  ["2027-01-11T22:30:00Z", "20270112T023000"],
])("a course of four hours from %s ends at %s", (start, end) => {
  expect(fileOf("Manual Handling", start)).toContain(`DTEND;TZID=Europe/London:${end}\r\n`);
});

test.each<[days: string, course: string, start: string, end: string | null, repetition: string]>([
  ["working days", "Lvl 2 CCTV", "2027-03-22T09:00:00Z", null, "RRULE:FREQ=DAILY;COUNT=5\r\nSUMMARY"],
  [
    "working days without the weekend between them, over the change of the clocks",
    "Lvl 2 CCTV",
    "2027-03-25T09:00:00Z",
    null,
    "RRULE:FREQ=DAILY;COUNT=7\r\nEXDATE;TZID=Europe/London:20270327T090000,20270328T090000\r\nSUMMARY",
  ],
  ["a weekend that the course needs", "First Aid at Work Level 3", "2027-03-26T09:00:00Z", "2027-03-28", "COUNT=3\r\nSUMMARY"],
  ["a last Saturday", "Lvl 2 CCTV", "2027-03-01T09:00:00Z", "2027-03-06", "COUNT=6\r\nSUMMARY"],
  [
    "a first Saturday, but on no other weekend",
    "Lvl 2 Door Supervisor",
    "2027-01-09T09:00:00Z",
    null,
    "COUNT=11\r\nEXDATE;TZID=Europe/London:20270110T090000,20270116T090000,20270117T090000\r\nSUMMARY",
  ],
])("a course runs on %s", (_days, course, start, end, repetition) => {
  expect(fileOf(course, start, end)?.replaceAll("\r\n ", "")).toContain(repetition);
});

test("an evening course does not end before it starts", () => {
  expect(fileOf("First Aid at Work", "2027-01-14T18:00:00Z")).toContain("DTEND;TZID=Europe/London:20270114T200000");
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

test("a later version of an event has a higher sequence number and the status", () => {
  const sequence = (changed: string): number => Number(/SEQUENCE:(\d+)/.exec(calendarFile({ ...event, changed }))?.[1]);
  expect(sequence("2026-11-21T09:00:01Z")).toBeGreaterThan(sequence(event.changed));
  expect(calendarFile({ ...event, status: "CANCELLED" })).toContain("STATUS:CANCELLED\r\n");
});
