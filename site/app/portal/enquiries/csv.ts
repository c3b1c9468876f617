import type { CsvColumn } from "../lists/csv.ts";
import type { Enquiry } from "./schema.ts";

/** Every column of an enquiry, in the order of the file. */
export const enquiryColumns: readonly CsvColumn<Enquiry>[] = [
  { heading: "Enquiry", cell: ({ id }) => id },
  { heading: "Received", cell: ({ created_at }) => created_at },
  { heading: "Name", cell: ({ name }) => name },
  { heading: "E-mail or phone", cell: ({ reply_to }) => reply_to },
  { heading: "Course", cell: ({ course_name }) => course_name },
  { heading: "Question", cell: ({ message }) => message },
  { heading: "Status", cell: ({ status }) => status },
  { heading: "Note", cell: ({ note }) => note },
  { heading: "Bookings", cell: ({ bookings }) => bookings.map(({ id }) => id).join(" ") },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
  { heading: "Changed by", cell: ({ updated_by }) => updated_by },
];
