import { isLetterKind } from "content/letters.ts";
import { letterTemplate } from "../../letters/letter-template.ts";
import { fillLetter, type LetterText } from "../../letters/letter-text.ts";
import { letterValues } from "../../letters/letter-values.ts";
import { dateOf, type KindRow, type Letter } from "./fields.ts";

/** The text of a letter as it was sent, or else as it would be sent now. */
export function textOfLetter(letter: Letter, kinds: readonly KindRow[]): LetterText {
  const { subject, body, kind, channel, bookings: booking, waiting_list: waiting, enquiries: enquiry, course_start } = letter;
  if (subject !== null && body !== null) return { subject, body };
  if (!isLetterKind(kind)) return { subject: kind, body: "" };
  const template = letterTemplate(
    kind,
    channel,
    kinds.find(({ id }) => id === kind),
  );
  const records = { booking, waiting, enquiry, course_date: dateOf(letter) ?? null };
  return fillLetter(template, letterValues(records, course_start));
}

/** A link that opens a letter in the mail program of the person at the screen. */
export function mailtoOf(address: string, { subject, body }: LetterText): string {
  const lines = body.replaceAll("\n", "\r\n");
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}
