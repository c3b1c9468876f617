import type { ListFilter } from "../lists/list-filter.ts";
import { STATUSES, type Enquiry } from "./schema.ts";

/** How the enquiries are narrowed: by words, a phone number and the status. */
export const enquiryFilter: ListFilter<Enquiry> = {
  hint: "Name, e-mail, phone, course, question or note",
  text: ({ name, reply_to, course_name, message, note }) => [name, reply_to, course_name, message, note].join(" "),
  digits: ({ reply_to }) => reply_to,
  choices: [{ name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status }],
};
