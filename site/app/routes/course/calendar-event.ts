interface CalendarEvent {
  /** Unique in the world and the same each time. */
  uid: string;
  title: string;
  /** ISO instants. */
  start: string;
  end: string;
  /** When it was last changed. */
  changed: string;
  status: "CONFIRMED" | "TENTATIVE" | "CANCELLED";
  location: string;
  url: string;
}

const LONGEST_LINE_BYTES = 75;

/** An event as an iCalendar file (RFC 5545). */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Course dates//EN",
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.changed)}`,
    // Counts up with every change, so that a calendar that has the event takes the newer one.
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
 * When the last day of a course ends: each day ends with the office. The last day is the one the office named (`2026-12-04`), or else
 * as many working days on as the course takes.
 */
export function courseEnd(start: string, lastDay: string | null, days: number, closes: string): string {
  let day = Temporal.Instant.from(start).toZonedDateTimeISO("Europe/London");
  if (lastDay !== null) day = Temporal.PlainDate.from(lastDay).toZonedDateTime({ timeZone: "Europe/London", plainTime: day.toPlainTime() });
  for (let left = lastDay === null ? days - 1 : 0; left > 0;) {
    day = day.add({ days: 1 });
    if (day.dayOfWeek <= 5) left -= 1;
  }
  const end = day.withPlainTime(Temporal.PlainTime.from(closes));
  // A course in the evening has no end we know of: two hours keep the event from ending before it starts.
  const known = Temporal.ZonedDateTime.compare(end, day) > 0 ? end : day.add({ hours: 2 });
  return known.toInstant().toString();
}

function utc(iso: string): string {
  return new Date(iso).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

function text(value: string): string {
  return value.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r?\n/g, "\\n");
}

/** Lines longer than 75 bytes go on in the next, after a space, and never inside a character. */
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
