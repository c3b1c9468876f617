import type { Database } from "../../../../supabase/database.types.ts";
import { londonDate } from "../../time/london-date.ts";
import type { StatusColumns } from "../time/course-date-status.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";

type BookingRow = Database["public"]["Tables"]["bookings"]["Row"];
type CourseDateRow = Database["public"]["Tables"]["course_dates"]["Row"];

/** What is read of a date wherever it is booked. */
export const BOOKED_DATE = "course_name, course_date, end_date, capacity, places_left, status";
type BookedDate = StatusColumns & Pick<CourseDateRow, "course_name" | "capacity" | "places_left">;

/** A booking with the date it is for. */
export type Booking = BookingRow & { course_dates: BookedDate };

/** A date one may book, how full it is, and who waits for it. */
export type BookableDate = BookedDate & { id: string; waiting_list: readonly { id: string }[] };

/** Who wants how many places on which date. */
export type Attendance = Pick<BookingRow, "course_id" | "name" | "email" | "phone" | "places" | "note">;

/** What the form of a booking asks for. */
export type BookingValues = Attendance & Pick<BookingRow, "company" | "payment_status" | "payment_method" | "status">;

/** Somebody who booked before. */
export type Person = Pick<BookingRow, "name" | "email" | "phone" | "company">;

export const LONGEST_NAME = 120;
export const LONGEST_EMAIL = 254;
export const LONGEST_PHONE = 40;
export const LONGEST_COMPANY = 120;
export const LONGEST_NOTE = 2000;
export const MOST_PLACES = 999;

export const STATUSES = { active: "Active", cancelled: "Cancelled" };
export const PAYMENT_STATUSES = { due: "Due", paid: "Paid" };
export const PAYMENT_METHODS = { cash: "Cash", card: "Card", bank_transfer: "Bank transfer" };

/** Checks a filled-in booking by the rules the database has too; whether there are places left only the database can say. */
export function checkBooking(form: FormData): Checked<BookingValues> {
  const attendance = checkAttendance(form);
  if (!attendance.ok) return attendance;
  const paymentStatus = textOf(form, "payment_status");
  if (!(paymentStatus in PAYMENT_STATUSES)) return refused("Choose whether it is paid.", "payment_status");
  const paymentMethod = textOf(form, "payment_method");
  if (paymentMethod !== "" && !(paymentMethod in PAYMENT_METHODS)) return refused("Choose how it is paid.", "payment_method");
  if (paymentStatus === "paid" && paymentMethod === "") return refused("Choose how it was paid.", "payment_method");
  const company = textOf(form, "company");
  if (lengthOf(company) > LONGEST_COMPANY) return refused(`Shorten the company to ${LONGEST_COMPANY} characters.`, "company");
  const status = form.has("status") ? textOf(form, "status") : "active";
  if (!(status in STATUSES)) return refused("Choose a status.", "status");
  return {
    ok: true,
    value: {
      ...attendance.value,
      company: orNull(company),
      payment_status: paymentStatus,
      payment_method: orNull(paymentMethod),
      status,
    },
  };
}

/** Checks who wants how many places on which date, and how to reach them. */
export function checkAttendance(form: FormData): Checked<Attendance> {
  const name = textOf(form, "name");
  if (name === "") return refused("Enter who the booking is for.", "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten the name to ${LONGEST_NAME} characters.`, "name");
  const courseId = textOf(form, "course_id");
  if (courseId === "") return refused("Choose a date from the list.", "course_id");
  const placesText = textOf(form, "places");
  const places = Number(placesText);
  if (placesText === "" || !Number.isInteger(places) || places < 1 || places > MOST_PLACES)
    return refused("Enter how many places, a whole number of at least 1.", "places");
  const phone = textOf(form, "phone");
  if (phone !== "" && (!/\d.*\d.*\d/.test(phone) || lengthOf(phone) > LONGEST_PHONE))
    return refused("Enter a phone number in digits, or leave the field empty.", "phone");
  const email = textOf(form, "email");
  if (email !== "" && (!/^[^\s@]+@[^\s@]+$/.test(email) || lengthOf(email) > LONGEST_EMAIL))
    return refused("Enter a whole e-mail address, or leave the field empty.", "email");
  const note = textOf(form, "note");
  if (lengthOf(note) > LONGEST_NOTE) return refused(`Shorten the note to ${LONGEST_NOTE} characters.`, "note");
  return { ok: true, value: { course_id: courseId, name, email: orNull(email), phone: orNull(phone), places, note: orNull(note) } };
}

/** "Lvl 2 CCTV, Mon 30 Nov 2026, 09:00" */
export function dateInWords({ course_name, course_date }: Pick<CourseDateRow, "course_name" | "course_date">): string {
  const { weekday, day, month, year, time } = londonDate(course_date);
  return `${course_name}, ${weekday} ${day} ${month} ${year}, ${time}`;
}

/** "Paid, card" */
export function paymentInWords({ payment_status, payment_method }: Pick<BookingRow, "payment_status" | "payment_method">): string {
  const status = labelOf(PAYMENT_STATUSES, payment_status);
  return payment_method === null ? status : `${status}, ${labelOf(PAYMENT_METHODS, payment_method).toLowerCase()}`;
}

/** What a stored value is called; itself where it has no name. */
export function labelOf(labels: Readonly<Record<string, string>>, value: string): string {
  return labels[value] ?? value;
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
