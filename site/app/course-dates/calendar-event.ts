import { everyDay } from "../time/last-day.ts";
import { addDays, LONDON } from "../time/london-time.ts";

/** An event on one or more days. */
export interface CalendarEvent {
  /** Globally unique and constant. */
  uid: string;
  title: string;
  /** The days in London: `2027-03-29`. */
  days: readonly string[];
  /** The times of each day in London: `09:00` and `17:00`. */
  start: string;
  end: string;
  /** The time of the last change, as an ISO instant. */
  changed: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  location: string;
  url: string;
}

const LONGEST_LINE_BYTES = 75;

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
    ...times(event),
    `SUMMARY:${text(event.title)}`,
    `LOCATION:${text(event.location)}`,
    `URL:${event.url}`,
    "END:VEVENT",
  ];
}

function times({ days, start, end }: CalendarEvent): string[] {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const span = everyDay(first, last);
  const pauses = span.filter((day) => !days.includes(day));
  return [
    `DTSTART;TZID=${LONDON}:${local(first, start)}`,
    `DTEND;TZID=${LONDON}:${local(end > start ? first : addDays(first, 1), end)}`,
    ...(span.length > 1 ? [`RRULE:FREQ=DAILY;COUNT=${span.length}`] : []),
    ...(pauses.length > 0 ? [`EXDATE;TZID=${LONDON}:${pauses.map((day) => local(day, start)).join(",")}`] : []),
  ];
}

function local(day: string, time: string): string {
  return `${day}T${time}00`.replace(/[-:]/g, "");
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
