import { expect, test } from "vitest";
import { teachingDays } from "./teaching-days.ts";
import { calendarFile } from "./calendar-event.ts";

const CLOSES = "17:00";

function fileOf(
  course_name: string,
  course_date: string,
  end_date: string | null = null,
  course: { days: number; hours?: number } = { days: 1 },
) {
  return calendarFile({ ...event, days: teachingDays({ course_name, course_date, end_date }, course, CLOSES) });
}

const event = {
  uid: "1@training.example",
  title: "First Aid at Work; bring lunch, please",
  days: teachingDays({ course_name: "First Aid at Work", course_date: "2027-06-07T08:00:00+00:00", end_date: null }, { days: 1 }, CLOSES),
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

test("a course of a few hours ends after them", () => {
  expect(fileOf("Manual Handling", "2027-01-11T13:00:00Z", null, { days: 1, hours: 4 })).toContain(
    "DTEND;TZID=Europe/London:20270111T170000",
  );
  expect(fileOf("Manual Handling", "2027-01-11T09:00:00Z", null, { days: 1, hours: 4 })).toContain(
    "DTEND;TZID=Europe/London:20270111T130000",
  );
});

test("a course of several days repeats on working days until its last day", () => {
  const file = fileOf("Lvl 2 Door Supervisor", "2026-12-02T09:00:00Z", null, { days: 8 });
  expect(file).toContain("DTEND;TZID=Europe/London:20261202T170000\r\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261211T090000Z\r\n");
});

test("the last day of a course over the change of the clocks is the one in London", () => {
  const file = fileOf("Lvl 2 CCTV", "2027-03-25T09:00:00Z", null, { days: 5 });
  expect(file).toContain("UNTIL=20270331T080000Z\r\n");
});

test("a course with a last day on a weekend also runs on that weekend", () => {
  const file = fileOf("First Aid at Work Level 3", "2027-03-26T09:00:00Z", "2027-03-28", { days: 3 });
  expect(file).toContain("RRULE:FREQ=DAILY;UNTIL=20270328T080000Z\r\n");
});

test("a course that starts on a Saturday and continues on working days repeats on both", () => {
  const file = fileOf("Lvl 2 CCTV", "2027-01-09T09:00:00Z", null, { days: 5 });
  expect(file).toContain("BYDAY=MO,TU,WE,TH,FR,SA;");
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
