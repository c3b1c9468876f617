import { courseWords } from "../lists/course-words.ts";
import { csvColumns, instantColumns, type CsvColumn } from "../lists/csv/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { bookingFields, PAYMENT_STATUSES, STATUSES, type Booking } from "./fields.ts";

/** Search and filters of the bookings. */
export const bookingFilter: ListFilter<Booking> = {
  hint: "Name, phone, day",
  text: ({ name, email, phone, company, note, course_dates }) =>
    [name, email, phone, company, note, courseWords(course_dates.course_name)].join(" "),
  digits: ({ phone }) => phone ?? "",
  instant: ({ course_dates }) => course_dates.course_date,
  choices: [
    { name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status },
    { name: "payment", label: "Payment", labels: PAYMENT_STATUSES, of: ({ payment_status }) => payment_status },
  ],
};

const { course_id: _date, ...shownFields } = bookingFields;

/** The columns of the CSV file; ids are last. */
export const bookingColumns: readonly CsvColumn<Booking>[] = [
  { heading: "Course", cell: ({ course_dates }) => course_dates.course_name },
  ...instantColumns<Booking>("Starts", ({ course_dates }) => course_dates.course_date),
  ...csvColumns(shownFields),
  ...instantColumns<Booking>("Booked", ({ created_at }) => created_at),
  ...instantColumns<Booking>("Changed", ({ updated_at }) => updated_at),
  { heading: "Booking id", cell: ({ id }) => id },
  { heading: "Date id", cell: ({ course_id }) => course_id },
  { heading: "Enquiry id", cell: ({ enquiry_id }) => enquiry_id },
  { heading: "Changed by, id", cell: ({ updated_by }) => updated_by },
];
