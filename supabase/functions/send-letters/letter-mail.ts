import { isLetterKind } from "content/letters.ts";
import { nationalNumber } from "content/national-number.ts";
import { provider } from "content/provider.ts";
import type { SendMailOptions } from "nodemailer";
import { z } from "zod";
import { courseDateCalendar } from "../../../site/app/course-dates/course-date-calendar.ts";
import { fillLetter, type LetterText } from "../../../site/app/letters/letter-text.ts";
import { letterTemplate } from "../../../site/app/letters/letter-template.ts";
import { letterValues } from "../../../site/app/letters/letter-values.ts";
import { mailedDateSchema } from "../_shared/mailed-date.ts";
import { letterHtml } from "./letter-html.ts";

const personSchema = z.object({ name: z.string(), places: z.number(), email: z.string().nullable(), phone: z.string().nullable() });

const letterTextsSchema = z.object({ subject: z.string().nullable(), body: z.string().nullable(), text_message: z.string().nullable() });

/** A letter of `claim_letter` with its records. */
export const claimedLetterSchema = z.object({
  letter: z.object({
    id: z.string(),
    claim: z.string(),
    kind: z.string().refine(isLetterKind),
    channel: z.enum(["mail", "text"]),
    course_start: z.string().nullable(),
  }),
  kind: letterTextsSchema,
  booking: personSchema.extend({ payment_status: z.string() }).nullable(),
  waiting: personSchema.nullable(),
  enquiry: z.object({ id: z.string(), reply_to: z.string(), course_name: z.string().nullable() }).nullable(),
  course_date: mailedDateSchema.nullable(),
});

export type ClaimedLetter = z.infer<typeof claimedLetterSchema>;

/** A letter as text, with its recipient. */
export interface RenderedLetter extends LetterText {
  recipient: string;
}

/** The kinds with a calendar file. */
const WITH_CALENDAR: ReadonlySet<string> = new Set(["confirmation", "moved"]);

/** Renders a letter with the text of staff, or else the default. */
export function renderLetter({ letter, kind, ...records }: ClaimedLetter): RenderedLetter {
  const { booking, waiting, enquiry } = records;
  const person = booking ?? waiting;
  return {
    recipient: letter.channel === "text" ? nationalNumber(person?.phone ?? "") : (person?.email ?? enquiry?.reply_to.trim() ?? ""),
    ...fillLetter(letterTemplate(letter.kind, letter.channel, kind), letterValues(records, letter.course_start)),
  };
}

/** The mail of a letter. Its Message-ID is the same at each try, so that mailboxes recognise a copy. */
export function letterMail(
  { letter, course_date: date }: ClaimedLetter,
  { recipient, subject, body }: RenderedLetter,
  siteUrl: string,
): SendMailOptions {
  const calendar = date && WITH_CALENDAR.has(letter.kind) ? courseDateCalendar(date, siteUrl) : undefined;
  return {
    messageId: `<letter-${letter.id}@${new URL(siteUrl).hostname}>`,
    to: { name: "", address: recipient },
    replyTo: { name: provider.name, address: provider.email },
    // Answering machines must not answer (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    subject,
    text: body,
    html: letterHtml(body),
    ...(calendar && {
      attachments: [{ filename: calendar.name, content: calendar.text, contentType: "text/calendar; charset=utf-8" }],
    }),
  };
}
