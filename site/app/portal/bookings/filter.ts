import { csvColumns, type CsvColumn } from "../lists/csv.ts";
import type { ListFilter } from "../lists/list-filter.ts";
import { bookingFields, PAYMENT_STATUSES, STATUSES, type Booking } from "./fields.ts";

/** Search and filters of the bookings. */
export const bookingFilter: ListFilter<Booking> = {
  hint: "Name, company, phone, e-mail, note or course",
  text: ({ name, email, phone, company, note, course_dates }) => [name, email, phone, company, note, course_dates.course_name].join(" "),
  digits: ({ phone }) => phone ?? "",
  choices: [
    { name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status },
    { name: "payment", label: "Payment", labels: PAYMENT_STATUSES, of: ({ payment_status }) => payment_status },
  ],
};

/** The columns of the CSV file. */
export const bookingColumns: readonly CsvColumn<Booking>[] = [
  { heading: "Booking", cell: ({ id }) => id },
  { heading: "Course", cell: ({ course_dates }) => course_dates.course_name },
  { heading: "Starts", cell: ({ course_dates }) => course_dates.course_date },
  ...csvColumns(bookingFields),
  { heading: "Booked", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
  { heading: "Changed by", cell: ({ updated_by }) => updated_by },
  { heading: "Enquiry", cell: ({ enquiry_id }) => enquiry_id },
];
