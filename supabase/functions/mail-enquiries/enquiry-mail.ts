import { courseByName } from "content/courses/index.ts";
import { enquiryReference } from "content/enquiry-reference.ts";
import { provider } from "content/provider.ts";
import type { SendMailOptions } from "nodemailer";
import { z } from "zod";
import { londonDayAndTime } from "../../../site/app/time/london-date.ts";
import { mailedDateSchema } from "../_shared/mailed-date.ts";
import { dateInWords } from "./course-date.ts";

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

const enquirySchema = z.object({
  id: z.string(),
  name: z.string(),
  reply_to: z.string(),
  phone: z.string().nullable(),
  course_name: z.string().nullable(),
  message: z.string(),
  places: z.number().nullable(),
  held_until: z.string().nullable(),
  request: z.enum(["place", "waiting"]).nullable(),
  status: z.string(),
  created_at: z.string(),
});

/** A row of `claim_enquiry_mails`. */
export const claimedMailSchema = z.object({
  kind: z.enum(["office", "confirmation"]),
  enquiry: enquirySchema,
  course_date: mailedDateSchema.nullable(),
});

export type ClaimedMail = z.infer<typeof claimedMailSchema>;

/** The mail to the office about an enquiry, in plain text. A reply goes to the visitor if they left an e-mail address. */
export function officeMail({ enquiry, course_date }: ClaimedMail): SendMailOptions {
  const { name, reply_to, phone, course_name, message, created_at } = enquiry;
  const about = course_name === null ? "" : ` about ${courseByName(course_name)?.title ?? course_name}`;
  const sent = londonDayAndTime(created_at);
  const reply = EMAIL.test(reply_to) ? { replyTo: { name, address: reply_to } } : {};
  return {
    to: { name: provider.name, address: provider.email },
    ...reply,
    subject: `${SUBJECTS[enquiry.request ?? "enquiry"]} ${name}${about}`,
    text: [
      `${name} ${enquiry.request === null ? `asked${about}` : wanted(enquiry)} on ${sent}.`,
      ...(course_date ? [dateInWords(course_date)] : []),
      ...(enquiry.held_until === null ? [] : [`Held until ${londonDayAndTime(enquiry.held_until)}.`]),
      `Reply to: ${[reply_to, phone].filter((way) => way !== null).join(", ")}`,
      ...(message === "" ? [] : [message]),
      ...(enquiry.request === null ? [] : [`Reference: ${enquiryReference(enquiry.id)}`]),
      "This enquiry is also in the portal, under Enquiries.",
    ].join("\n\n"),
  };
}

const SUBJECTS = { enquiry: "Enquiry from", place: "Request for places from", waiting: "Waiting list:" };

function wanted({ request, places, status }: ClaimedMail["enquiry"]): string {
  const number = `${places} ${places === 1 ? "place" : "places"}`;
  if (request !== "waiting") return `would like ${number}`;
  return status === "new" ? `is on the waiting list already and would like ${number}` : `joined the waiting list for ${number}`;
}
