import type { Booking } from "./schema.ts";

/** What the list is narrowed to; empty where it is not. */
export interface BookingFilter {
  words: string;
  status: string;
  payment: string;
}

export const NO_FILTER: BookingFilter = { words: "", status: "", payment: "" };

/** Whether a booking has every word somewhere in it, or the phone number without its spaces, and the status and payment asked for. */
export function matches(booking: Booking, { words, status, payment }: BookingFilter): boolean {
  if (status !== "" && booking.status !== status) return false;
  if (payment !== "" && booking.payment_status !== payment) return false;
  if (words.trim() === "") return true;
  const { name, email, phone, company, note, course_dates } = booking;
  const digits = words.replaceAll(/[\s().+-]/g, "");
  if (/^\d+$/.test(digits) && phone?.replaceAll(/\D/g, "").includes(digits)) return true;
  const text = [name, email, phone, company, note, course_dates.course_name].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
