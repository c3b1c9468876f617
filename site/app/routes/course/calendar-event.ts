import { workingDayAfter } from "../../time/working-days.ts";

interface CalendarEvent {
  /** Globally unique and constant. */
  uid: string;
  title: string;
  /** ISO instants. */
  start: string;
  end: string;
  /** The time of the last change, as an ISO instant. */
  changed: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  location: string;
  url: string;
}

const LONGEST_LINE_BYTES = 75;

/** Writes an event as an iCalendar file (RFC 5545). */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Course dates//EN",
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.changed)}`,
    // Increases with every change, so that calendars replace their older copy.
    `SEQUENCE:${Math.floor(Date.parse(event.changed) / 1000)}`,
    `STATUS:${event.status}`,
    `DTSTART:${utc(event.start)}`,
    `DTEND:${utc(event.end)}`,
    `SUMMARY:${text(event.title)}`,
    `LOCATION:${text(event.location)}`,
    `URL:${event.url}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/**
 * The end of the last day of a course, at the office's closing time. The last day is `lastDay` (`2026-12-04`) if the office set one,
 * otherwise as many working days after the first as the course takes.
 */
export function courseEnd(start: string, lastDay: string | null, days: number, closes: string): string {
  const first = Temporal.Instant.from(start).toZonedDateTimeISO("Europe/London");
  const last = Temporal.PlainDate.from(lastDay ?? workingDayAfter(first.toPlainDate().toString(), days - 1));
  const day = last.toZonedDateTime({ timeZone: first.timeZoneId, plainTime: first.toPlainTime() });
  const end = day.withPlainTime(Temporal.PlainTime.from(closes));
  // The end of an evening course is unknown; two hours keep it after the start.
  const known = Temporal.ZonedDateTime.compare(end, day) > 0 ? end : day.add({ hours: 2 });
  return known.toInstant().toString();
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
