import { courseNames } from "content/courses/index.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { contactHref } from "../lists/contact-href.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";

type EnquiryRow = Database["public"]["Tables"]["enquiries"]["Row"];
type CourseDateRow = Database["public"]["Tables"]["course_dates"]["Row"];

/** An enquiry with the bookings that came of it. */
export type Enquiry = EnquiryRow & { bookings: readonly EnquiryBooking[] };

/** A booking that came of an enquiry, and its date. */
export interface EnquiryBooking {
  id: string;
  course_id: string;
  course_dates: Pick<CourseDateRow, "course_name" | "course_date">;
}

/** What the office writes on an enquiry. */
export type EnquiryHandling = Pick<EnquiryRow, "status" | "note">;

/** What somebody asks, as the office takes it down. */
export type EnquiryValues = Pick<EnquiryRow, "name" | "reply_to" | "course_name" | "message">;

export const LONGEST_NAME = 120;
export const SHORTEST_REPLY = 5;
export const LONGEST_REPLY = 254;
export const LONGEST_MESSAGE = 4000;
export const LONGEST_NOTE = 2000;

export const STATUSES = { new: "New", called: "Called", booked: "Booked", closed: "Closed" };

/** Whether the office still has something to do about it. */
export function isOpen({ status }: Pick<EnquiryRow, "status">): boolean {
  return status === "new" || status === "called";
}

/** What a status is called; itself where it has no name. */
export function labelOfStatus(status: string): string {
  const labels: Readonly<Record<string, string>> = STATUSES;
  return labels[status] ?? status;
}

/** Checks what the office wrote on an enquiry by the rules the database has too. */
export function checkHandling(form: FormData): Checked<EnquiryHandling> {
  const status = textOf(form, "status");
  if (!(status in STATUSES)) return refused("Choose a status.", "status");
  const note = textOf(form, "note");
  if (lengthOf(note) > LONGEST_NOTE) return refused(`Shorten the note to ${LONGEST_NOTE} characters.`, "note");
  return { ok: true, value: { status, note: note === "" ? null : note } };
}

/** Checks an enquiry that the office takes down by the rules the database has too. */
export function checkEnquiry(form: FormData): Checked<EnquiryValues> {
  const name = textOf(form, "name");
  if (name === "") return refused("Enter who is asking.", "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten the name to ${LONGEST_NAME} characters.`, "name");
  const replyTo = textOf(form, "reply_to");
  if (lengthOf(replyTo) < SHORTEST_REPLY || lengthOf(replyTo) > LONGEST_REPLY || contactHref(replyTo) === null)
    return refused("Enter an e-mail address or a phone number, so that somebody can answer.", "reply_to");
  const courseName = textOf(form, "course_name");
  if (courseName !== "" && !courseNames.some((known) => known === courseName))
    return refused("Choose a course from the list.", "course_name");
  const message = textOf(form, "message");
  if (message === "") return refused("Enter what they ask.", "message");
  if (lengthOf(message) > LONGEST_MESSAGE) return refused(`Shorten the question to ${LONGEST_MESSAGE} characters.`, "message");
  return { ok: true, value: { name, reply_to: replyTo, course_name: courseName === "" ? null : courseName, message } };
}
