import { courseByName } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { z } from "zod";

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** An enquiry as the database hands it over. */
export const enquirySchema = z.object({
  id: z.string(),
  name: z.string(),
  reply_to: z.string(),
  course_name: z.string().nullable(),
  message: z.string(),
  created_at: z.string(),
});

/** What the office reads of an enquiry, in plain text; an answer to the letter goes to the visitor where an e-mail address was given. */
export function letterOf({ name, reply_to, course_name, message, created_at }: z.infer<typeof enquirySchema>) {
  const about = course_name === null ? "" : ` about ${courseByName(course_name)?.title ?? course_name}`;
  const came = new Date(created_at).toLocaleString("en-GB", { timeZone: "Europe/London", dateStyle: "full", timeStyle: "short" });
  return {
    to: { name: provider.name, address: provider.email },
    ...(EMAIL.test(reply_to) ? { replyTo: { name, address: reply_to } } : {}),
    subject: `Enquiry from ${name}${about}`,
    text: [
      `${name} asked${about} on ${came}.`,
      `Answer to: ${reply_to}`,
      message,
      "The enquiry is in the portal too, under Enquiries.",
    ].join("\n\n"),
  };
}
