import { courses } from "content/courses/index.ts";
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO } from "content/enquiry-limits.ts";
import { z } from "zod";

/** A phone number as people write it. */
export const PHONE = /^\+?(?=.*\d.*\d.*\d)[\d\s().\p{Pd}]{7,20}$/u;
export const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** A field hidden from people; only bots fill it in. */
export const HONEYPOT = "website";

/** An enquiry as a visitor sends it. */
export const enquirySchema = z.object({
  name: z.string().trim().min(1, "Please tell us your name.").max(LONGEST_NAME, tooLong(LONGEST_NAME)),
  reply_to: z
    .string()
    .trim()
    .min(1, "Please give an e-mail address or a phone number, so that we can answer.")
    .max(LONGEST_REPLY_TO, { error: tooLong(LONGEST_REPLY_TO), abort: true })
    .refine((value) => value === "" || EMAIL.test(value) || PHONE.test(value), "This is neither an e-mail address nor a phone number."),
  course: z.string().refine((id) => id === "" || courses.some((course) => course.id === id), "Please choose a course from the list."),
  message: z.string().trim().min(1, "Please write your question.").max(LONGEST_MESSAGE, tooLong(LONGEST_MESSAGE)),
});

type EnquiryField = keyof z.infer<typeof enquirySchema>;

/** The visitor's input and the errors by field. */
export interface EnquiryInput {
  values: Record<EnquiryField, string>;
  errors: Partial<Record<EnquiryField, string>>;
}

/** The error of a text that is longer than its limit. */
export function tooLong(limit: number): string {
  return `Please use at most ${limit.toLocaleString("en-GB")} characters.`;
}

/** Reads the fields of a submitted form without validation. */
export function typedValues(form: FormData): EnquiryInput["values"] {
  const field = (name: EnquiryField): string => typedText(form, name);
  return { name: field("name"), reply_to: typedContact(form, "reply_to"), course: field("course"), message: field("message") };
}

/** The text of a field of a submitted form. A line break is one character, as in the limit that the browser applies. */
export function typedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

/** An e-mail address or a phone number without invisible characters: phones put some around a number that is copied from the contacts. */
export function typedContact(form: FormData, name: string): string {
  return typedText(form, name).replaceAll(/\p{Cf}/gu, "");
}

/** The first error of each field. */
export function fieldErrors(error: z.ZodError<z.infer<typeof enquirySchema>>): EnquiryInput["errors"] {
  const { name, reply_to, course, message } = z.flattenError(error).fieldErrors;
  const first = { name: name?.[0], reply_to: reply_to?.[0], course: course?.[0], message: message?.[0] };
  return Object.fromEntries(Object.entries(first).filter(([, text]) => text !== undefined));
}
