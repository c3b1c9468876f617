import { enquiryReference } from "content/enquiry-reference.ts";
import { courseWords } from "../lists/course-words.ts";
import { csvColumns, instantColumns, type CsvColumn } from "../lists/csv/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { enquiryFields, handlingFields, requestInWords, STATUSES, type Enquiry } from "./fields.ts";

/** Search and filter of the enquiries. */
export const enquiryFilter: ListFilter<Enquiry> = {
  hint: "Name, phone, day",
  text: ({ id, name, reply_to, course_name, message, note }) =>
    [name, reply_to, enquiryReference(id), courseWords(course_name ?? ""), message, note].join(" "),
  digits: ({ reply_to, phone }) => [reply_to, phone].join(" "),
  instant: ({ created_at }) => created_at,
  choices: [{ name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status }],
};

/** The columns of the CSV file; ids are last. */
export const enquiryColumns: readonly CsvColumn<Enquiry>[] = [
  ...instantColumns<Enquiry>("Received", ({ created_at }) => created_at),
  { heading: "Reference", cell: ({ id }) => enquiryReference(id) },
  { heading: "Request", cell: requestInWords },
  { heading: "Phone", cell: ({ phone }) => phone },
  ...csvColumns({ ...enquiryFields, ...handlingFields }),
  ...instantColumns<Enquiry>("Changed", ({ updated_at }) => updated_at),
  { heading: "Enquiry id", cell: ({ id }) => id },
  { heading: "Booking ids", cell: ({ bookings }) => bookings.map(({ id }) => id).join(" ") },
  { heading: "Changed by, id", cell: ({ updated_by }) => updated_by },
];
