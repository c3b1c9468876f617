import { csvColumns, type CsvColumn } from "../lists/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { enquiryFields, handlingFields, STATUSES, type Enquiry } from "./fields.ts";

/** Search and filter of the enquiries. */
export const enquiryFilter: ListFilter<Enquiry> = {
  hint: "Name, e-mail, phone, course, question or note",
  text: ({ name, reply_to, course_name, message, note }) => [name, reply_to, course_name, message, note].join(" "),
  digits: ({ reply_to }) => reply_to,
  choices: [{ name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status }],
};

/** The columns of the CSV file. */
export const enquiryColumns: readonly CsvColumn<Enquiry>[] = [
  { heading: "Enquiry", cell: ({ id }) => id },
  { heading: "Received", cell: ({ created_at }) => created_at },
  ...csvColumns({ ...enquiryFields, ...handlingFields }),
  { heading: "Bookings", cell: ({ bookings }) => bookings.map(({ id }) => id).join(" ") },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
  { heading: "Changed by", cell: ({ updated_by }) => updated_by },
];
