import { isPast, courseDateStatus } from "./course-date-status.ts";
import { dateInWords, type BookableDate } from "./bookable-date.ts";

/** "3 of 12 places left", or the status where that says more. */
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

/** Number of places that can be booked: none on a cancelled date. */
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
  const status = courseDateStatus(date, now);
  switch (status) {
    case "cancelled":
      return status;
    case "past":
    case "running":
      return `${status}, ${capacity - left} booked`;
    case "postponed":
      return left === 0 ? "postponed, full" : `postponed, ${left} left`;
    case "full":
      return left === 0 ? "full" : `set to full, ${left} left`;
    default:
      return left === 0 ? "full" : `${left} left`;
  }
}

function allTaken(capacity: number): string {
  return capacity === 1 ? "Full: the only place is taken" : `Full: all ${capacity} places are taken`;
}
