import { isLetterKind, letterKinds, type LetterKind } from "content/letters.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { fieldProblem } from "../../letters/letter-text.ts";
import type { LetterRecords } from "../../letters/letter-values.ts";
import { choice, optionalText, requiredText, type Field } from "../forms/fields.ts";
import type { RecordEdit } from "../records/save-record.ts";

type Tables = Database["public"]["Tables"];
type LetterDate = NonNullable<LetterRecords["course_date"]>;
type BookingRow = Tables["bookings"]["Row"];
type WaitingRow = Tables["waiting_list"]["Row"];
type EnquiryRow = Tables["enquiries"]["Row"];

/** The settings and the own text of a kind of letter; null for the default text. */
export type KindRow = Pick<Tables["letter_kinds"]["Row"], "id" | "sending" | "subject" | "body" | "texts" | "text_message" | "updated_at">;

/** A booking that a letter is about, or that a template is shown with. */
export type LetterBooking = Pick<BookingRow, "id" | "name" | "email" | "phone" | "places" | "payment_status"> & {
  course_dates: LetterDate;
};

/** A letter of the outbox with its records. */
export type Letter = Omit<Tables["letters"]["Row"], "claim" | "lease_until" | "handed_at" | "tries" | "expires_at"> & {
  bookings: LetterBooking | null;
  waiting_list: (Pick<WaitingRow, "name" | "email" | "phone" | "places"> & { course_dates: LetterDate }) | null;
  enquiries: Pick<EnquiryRow, "id" | "name" | "reply_to" | "course_name"> | null;
};

/** The form of the page. */
export interface KindForm {
  form: "kind";
  edit: RecordEdit<KindRow>;
}

/** The reasons why a letter failed or was not sent, in words. */
export const PROBLEMS: Readonly<Record<string, string>> = {
  refused: "The address or the number was refused.",
  unclear: "The connection ended while it was handed over. It may have arrived.",
  gave_up: "The service that sends it could not be reached for a day.",
  changed: "The booking or the date changed.",
  expired: "It was too late to send it.",
  no_letters: "There is no address or number, or the booking gets no letters.",
  switched_off: "This kind of letter is switched off.",
  staff: "Stopped by staff.",
};

const SENDING = { on: "Send", off: "Do not send" };
const TEXTS = { off: "No text message", on: "Text message to a mobile number" };

/** Returns a kind of letter by its id. */
export function kindOf(id: string): LetterKind {
  return isLetterKind(id) ? letterKinds[id] : { label: id, when: "", fields: [], subject: "", body: "", textMessage: null };
}

/** The fields of a kind of letter. The default text is stored as null. */
export function kindFields(id: string) {
  const { subject, body, textMessage, fields } = kindOf(id);
  return {
    sending: choice({ label: "Sending", options: SENDING, error: "Choose whether it is sent." }),
    subject: template(requiredText({ label: "Subject", max: 200, error: "Enter a subject." }), subject, fields),
    body: template(requiredText({ label: "Text", max: 8000, rows: 18, error: "Enter a text." }), body, fields),
    texts: choice({ label: "Without an e-mail address", options: TEXTS, error: "Choose whether a text message is sent." }),
    text_message: template(optionalText({ label: "Text message", max: 600, rows: 4 }), textMessage ?? "", fields),
  };
}

function template<Text extends string | null>(text: Field<Text>, standard: string, fields: readonly string[]): Field<string | null> {
  return {
    label: text.label,
    control: text.control,
    parse(typed, form) {
      // Browsers send text areas with CRLF.
      const parsed = text.parse(typed.replaceAll("\r\n", "\n"), form);
      if ("error" in parsed) return parsed;
      const problem = fieldProblem(parsed.value ?? "", fields);
      return problem === null ? { value: parsed.value === standard ? null : parsed.value } : { error: problem };
    },
    format: (value) => value ?? standard,
    show: (value) => (value === null ? "the default text" : `“${value.slice(0, 80)}”`),
  };
}

/** The name of the person a letter is for, and the e-mail address or phone number. */
export function recipientOf({ bookings, waiting_list, enquiries, recipient, channel }: Letter): { name: string; address: string } {
  const person = bookings ?? waiting_list;
  const address = channel === "text" ? person?.phone : (person?.email ?? enquiries?.reply_to);
  return { name: (person ?? enquiries)?.name ?? "", address: recipient ?? address ?? "" };
}

/** The course date of a letter; undefined for an enquiry. */
export function dateOf({ bookings, waiting_list }: Letter): LetterDate | undefined {
  return (bookings ?? waiting_list)?.course_dates;
}
