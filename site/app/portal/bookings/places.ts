import { isPast, courseDateStatus } from "../time/course-date-status.ts";
import { dateInWords, type BookableDate } from "./schema.ts";

/** "3 of 12 places left", or how the date stands where that says more. */
export function placesInWords(date: BookableDate, now = Date.now()): string {
  const { capacity } = date;
  const left = date.places_left ?? 0;
  const free = `${left} of ${capacity} ${capacity === 1 ? "place" : "places"} left`;
  switch (courseDateStatus(date, now)) {
    case "cancelled":
      return "Cancelled: this date takes no bookings";
    case "past":
      return `Past: ${capacity - left} of ${capacity} places were taken`;
    case "running":
      return `Running: ${capacity - left} of ${capacity} places are taken`;
    case "postponed":
      return `Postponed: ${free}`;
    case "full":
      return left === 0 ? allTaken(capacity) : `Set to full: ${free}`;
    default:
      return left === 0 ? allTaken(capacity) : free;
  }
}

/** How many may still book: none where the date is cancelled. */
export function placesOpen({ places_left, status }: Pick<BookableDate, "places_left" | "status">): number {
  return status === "cancelled" ? 0 : (places_left ?? 0);
}

/** "Lvl 2 CCTV, Mon 30 Nov 2026, 09:00: full, 2 waiting" */
export function choiceInWords(date: BookableDate, now = Date.now()): string {
  const waiting = date.waiting_list.length === 0 || isPast(date, now) ? "" : `, ${date.waiting_list.length} waiting`;
  return `${dateInWords(date)}: ${placesInShort(date, now)}${waiting}`;
}

function placesInShort(date: BookableDate, now: number): string {
  const { capacity } = date;
  const left = date.places_left ?? 0;
  const standing = courseDateStatus(date, now);
  switch (standing) {
    case "cancelled":
      return standing;
    case "past":
    case "running":
      return `${standing}, ${capacity - left} booked`;
    case "postponed":
      return left === 0 ? "postponed, full" : `postponed, ${left} left`;
    case "full":
      return left === 0 ? "full" : `set to full, ${left} left`;
    default:
      return left === 0 ? "full" : `${left} left`;
  }
}

function allTaken(capacity: number): string {
  return `Full: all ${capacity} places are taken`;
}
