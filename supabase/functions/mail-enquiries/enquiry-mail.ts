import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { z } from "zod";

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** A row of `claim_enquiry_mails`. */
export const enquirySchema = z.object({
  id: z.string(),
  name: z.string(),
  reply_to: z.string(),
  course_name: z.string().nullable(),
  message: z.string(),
  created_at: z.string(),
});

/** The mail about an enquiry, in plain text. A reply goes to the visitor if they left an e-mail address. */
export function mailOf({ name, reply_to, course_name, message, created_at }: z.infer<typeof enquirySchema>) {
  const about = course_name === null ? "" : ` about ${courseByName(course_name)?.title ?? course_name}`;
  const sent = new Date(created_at).toLocaleString("en-GB", { timeZone: "Europe/London", dateStyle: "full", timeStyle: "short" });
  return {
    to: { name: provider.name, address: provider.email },
    ...(EMAIL.test(reply_to) ? { replyTo: { name, address: reply_to } } : {}),
    subject: `Enquiry from ${name}${about}`,
    text: [
      `${name} asked${about} on ${sent}.`,
      `Reply to: ${reply_to}`,
      message,
      "This enquiry is also in the portal, under Enquiries.",
    ].join("\n\n"),
  };
}
