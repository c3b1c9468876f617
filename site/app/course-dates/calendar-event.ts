import { WORKING_DAYS, type TeachingDays } from "./teaching-days.ts";

/** An event on one or more teaching days. */
export interface CalendarEvent {
  /** Globally unique and constant. */
  uid: string;
  title: string;
  days: TeachingDays;
  /** The time of the last change, as an ISO instant. */
  changed: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  location: string;
  url: string;
}

const LONDON = "Europe/London";
const LONGEST_LINE_BYTES = 75;
const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

// The rules since 1996; calendars need them to repeat an event at the same local time.
const TIME_ZONE = [
  "BEGIN:VTIMEZONE",
  `TZID:${LONDON}`,
  ...["BEGIN:DAYLIGHT", "DTSTART:19960331T010000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100", "TZNAME:BST"],
  ...["RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT"],
  ...["BEGIN:STANDARD", "DTSTART:19961027T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000", "TZNAME:GMT"],
  ...["RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD"],
  "END:VTIMEZONE",
];

/** Writes an event as an iCalendar file (RFC 5545). */
export function calendarFile(event: CalendarEvent): string {
  return calendarOf([], [event]);
}

/** Writes events as a calendar that programs subscribe to and read again every hour (RFC 7986). */
export function calendarFeed(name: string, events: readonly CalendarEvent[]): string {
  // Older programs know only the name that begins with X.
  return calendarOf([`NAME:${text(name)}`, `X-WR-CALNAME:${text(name)}`, "REFRESH-INTERVAL;VALUE=DURATION:PT1H"], events);
}

function calendarOf(properties: readonly string[], events: readonly CalendarEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Course dates//EN",
    ...properties,
    ...TIME_ZONE,
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

function eventLines(event: CalendarEvent): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.changed)}`,
    // Increases with every change, so that calendars replace their older copy.
    `SEQUENCE:${Math.floor(Date.parse(event.changed) / 1000)}`,
    `STATUS:${event.status}`,
    `DTSTART;TZID=${LONDON}:${local(event.days.start)}`,
    `DTEND;TZID=${LONDON}:${local(event.days.end)}`,
    ...repetition(event.days),
    `SUMMARY:${text(event.title)}`,
    `LOCATION:${text(event.location)}`,
    `URL:${event.url}`,
    "END:VEVENT",
  ];
}

function repetition({ start, last, includesWeekends }: TeachingDays): string[] {
  if (Temporal.PlainDate.compare(start, last) >= 0) return [];
  const until = utc(last.toZonedDateTime({ timeZone: LONDON, plainTime: start.toPlainTime() }).toInstant().toString());
  if (includesWeekends) return [`RRULE:FREQ=DAILY;UNTIL=${until}`];
  const weekdays = WEEKDAYS.filter((_day, index) => index < WORKING_DAYS || index + 1 === start.dayOfWeek);
  return [`RRULE:FREQ=WEEKLY;BYDAY=${weekdays.join(",")};UNTIL=${until}`];
}

function local(moment: Temporal.ZonedDateTime): string {
  return moment.toPlainDateTime().toString({ smallestUnit: "second" }).replace(/[-:]/g, "");
}

function utc(iso: string): string {
  return new Date(iso).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function text(value: string): string {
  return value.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r?\n/g, "\\n");
}

/** Folds lines longer than 75 bytes, never inside a character. */
function fold(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).byteLength;
    if (bytes + size > LONGEST_LINE_BYTES) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
