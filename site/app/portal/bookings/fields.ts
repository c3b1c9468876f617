import type { Database } from "../../../../supabase/database.types.ts";
import type { BookedDate } from "../bookable-dates/bookable-date.ts";
import { comparedDate } from "../bookable-dates/course-date-status.ts";
import { choice, optionalChoice, optionalText, requiredText, wholeNumber, type ValuesOf } from "../forms/fields.ts";
import { textOf } from "../forms/form-text.ts";

type BookingRow = Database["public"]["Tables"]["bookings"]["Row"];

/** A booking with its course date. */
export type Booking = BookingRow & { course_dates: BookedDate };

/** A letter about a booking. */
export type BookingLetter = Pick<Database["public"]["Tables"]["letters"]["Row"], "id" | "kind" | "state" | "due_at" | "sent_at">;

/** A person who booked before. */
export type Person = Pick<BookingRow, "name" | "email" | "phone" | "company">;

export const STATUSES = { active: "Active", cancelled: "Cancelled" };
const LETTERS = { on: "Send letters", off: "No letters" };
export const PAYMENT_STATUSES = { due: "Not paid", paid: "Paid" };
export const PAYMENT_METHODS: Readonly<Record<string, string>> = { cash: "Cash", card: "Card", bank_transfer: "Bank transfer" };

/** The fields that a booking shares with an entry of a waiting list. */
const attendanceFields = {
  name: requiredText({ label: "Name", max: 120, error: "Enter who the booking is for." }),
  course_id: requiredText({ label: "Date", max: 36, error: "Choose a date from the list." }),
  places: wholeNumber({
    label: "Places",
    min: 1,
    max: 999,
    initial: "1",
    error: "Enter how many places, a whole number of at least 1.",
  }),
  phone: optionalText({
    label: "Phone",
    max: 40,
    type: "tel",
    rule: { test: (text) => /\d.*\d.*\d/.test(text), error: "Enter a phone number in digits, or leave the field empty." },
  }),
  email: optionalText({
    label: "E-mail",
    max: 254,
    type: "email",
    rule: { test: (text) => /^[^\s@]+@[^\s@]+$/.test(text), error: "Enter a whole e-mail address, or leave the field empty." },
  }),
};

const noteField = optionalText({ label: "Note", max: 2000, rows: 3 });

/** The fields of an entry of a waiting list. */
export const waitingFields = { ...attendanceFields, note: noteField };

/** The fields of a booking that staff edit, by the rules of the database; only the database knows if places are left. */
export const bookingFields = {
  ...attendanceFields,
  company: optionalText({ label: "Company", max: 120 }),
  payment_status: choice({ label: "Payment", options: PAYMENT_STATUSES, initial: "due", error: "Choose whether it is paid." }),
  payment_method: optionalChoice({
    label: "Paid by",
    options: PAYMENT_METHODS,
    empty: "Not known yet",
    error: "Choose how it is paid.",
    require: (form) => (textOf(form, "payment_status") === "paid" ? "Choose how it was paid." : null),
  }),
  status: choice({ label: "Status", options: STATUSES, initial: "active", error: "Choose a status." }),
  letters: choice({
    label: "Letters",
    hint: "Confirmation, reminders and changes, by e-mail.",
    options: LETTERS,
    initial: "on",
    error: "Choose whether the booking gets letters.",
  }),
  note: noteField,
};

/** Compared by the saves of bookings and entries of waiting lists, in addition to their fields. */
export const alsoCompared = { course_dates: comparedDate };

export type WaitingValues = ValuesOf<typeof waitingFields>;
export type BookingValues = ValuesOf<typeof bookingFields>;

/** "Paid, card" */
export function paymentInWords({ payment_status, payment_method }: Pick<BookingRow, "payment_status" | "payment_method">): string {
  const status = bookingFields.payment_status.show(payment_status);
  return payment_method === null ? status : `${status}, ${bookingFields.payment_method.show(payment_method).toLowerCase()}`;
}

/** True for an active booking that is not paid. */
export function isDue({ status, payment_status }: Pick<BookingRow, "status" | "payment_status">): boolean {
  return status === "active" && payment_status === "due";
}
