import { isLetterKind, letterKinds, type LetterKind } from "content/letters.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { fieldProblem } from "../../letters/letter-text.ts";
import type { LetterRecords } from "../../letters/letter-values.ts";
import { choice, requiredText, type Field } from "../forms/fields.ts";
import type { RecordEdit } from "../records/save-record.ts";

type Tables = Database["public"]["Tables"];
type LetterDate = NonNullable<LetterRecords["course_date"]>;
type BookingRow = Tables["bookings"]["Row"];
type WaitingRow = Tables["waiting_list"]["Row"];
type EnquiryRow = Tables["enquiries"]["Row"];

/** The settings and the own text of a kind of letter; null for the default text. */
export type KindRow = Pick<Tables["letter_kinds"]["Row"], "id" | "sending" | "subject" | "body" | "updated_at">;

/** A booking that a letter is about, or that a template is shown with. */
export type LetterBooking = Pick<BookingRow, "id" | "name" | "email" | "places" | "payment_status"> & { course_dates: LetterDate };

/** A letter of the outbox with its records. */
export type Letter = Omit<Tables["letters"]["Row"], "claim" | "lease_until" | "handed_at" | "tries" | "expires_at"> & {
  bookings: LetterBooking | null;
  waiting_list: (Pick<WaitingRow, "name" | "email" | "places"> & { course_dates: LetterDate }) | null;
  enquiries: Pick<EnquiryRow, "id" | "name" | "reply_to" | "course_name"> | null;
};

/** The form of the page. */
export interface KindForm {
  form: "kind";
  edit: RecordEdit<KindRow>;
}

/** Why a letter failed or was not sent. */
export const PROBLEMS: Readonly<Record<string, string>> = {
  refused: "The mail server refused the address.",
  unclear: "The connection ended while the mail server took it. It may have arrived.",
  gave_up: "The mail server could not be reached for a day.",
  changed: "The booking or the date changed.",
  expired: "It was too late.",
  no_letters: "There is no address, or the booking gets no letters.",
  switched_off: "This kind of letter is switched off.",
  staff: "Stopped by staff.",
};

const SENDING = { on: "Send", off: "Do not send" };

/** Returns a kind of letter by its id. */
export function kindOf(id: string): LetterKind {
  return isLetterKind(id) ? letterKinds[id] : { label: id, when: "", fields: [], subject: "", body: "" };
}

/** The fields of a kind of letter. The default text is stored as null. */
export function kindFields(id: string) {
  const { subject, body, fields } = kindOf(id);
  return {
    sending: choice({ label: "Sending", options: SENDING, error: "Choose whether it is sent." }),
    subject: template(requiredText({ label: "Subject", max: 200, error: "Enter a subject." }), subject, fields),
    body: template(requiredText({ label: "Text", max: 8000, rows: 18, error: "Enter a text." }), body, fields),
  };
}

function template(text: Field<string>, standard: string, fields: readonly string[]): Field<string | null> {
  return {
    label: text.label,
    control: text.control,
    parse(typed, form) {
      // Browsers send text areas with CRLF.
      const parsed = text.parse(typed.replaceAll("\r\n", "\n"), form);
      if ("error" in parsed) return parsed;
      const problem = fieldProblem(parsed.value, fields);
      return problem === null ? { value: parsed.value === standard ? null : parsed.value } : { error: problem };
    },
    format: (value) => value ?? standard,
    show: (value) => (value === null ? "the default text" : `“${value.slice(0, 80)}”`),
  };
}

/** The name and address of the person a letter is for. */
export function recipientOf({ bookings, waiting_list, enquiries, recipient }: Letter): { name: string; address: string } {
  const name = (bookings ?? waiting_list ?? enquiries)?.name ?? "";
  return { name, address: recipient ?? bookings?.email ?? waiting_list?.email ?? enquiries?.reply_to ?? "" };
}

/** The course date of a letter; undefined for an enquiry. */
export function dateOf({ bookings, waiting_list }: Letter): LetterDate | undefined {
  return (bookings ?? waiting_list)?.course_dates;
}
