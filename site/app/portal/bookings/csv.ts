import type { CsvColumn } from "../lists/csv.ts";
import type { Booking } from "./schema.ts";

/** Every column of a booking, in the order of the file. */
export const bookingColumns: readonly CsvColumn<Booking>[] = [
  { heading: "Booking", cell: ({ id }) => id },
  { heading: "Course", cell: ({ course_dates }) => course_dates.course_name },
  { heading: "Starts", cell: ({ course_dates }) => course_dates.course_date },
  { heading: "Course date", cell: ({ course_id }) => course_id },
  { heading: "Name", cell: ({ name }) => name },
  { heading: "E-mail", cell: ({ email }) => email },
  { heading: "Phone", cell: ({ phone }) => phone },
  { heading: "Company", cell: ({ company }) => company },
  { heading: "Places", cell: ({ places }) => places },
  { heading: "Status", cell: ({ status }) => status },
  { heading: "Payment", cell: ({ payment_status }) => payment_status },
  { heading: "Paid by", cell: ({ payment_method }) => payment_method },
  { heading: "Note", cell: ({ note }) => note },
  { heading: "Booked", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
  { heading: "Changed by", cell: ({ updated_by }) => updated_by },
  { heading: "Enquiry", cell: ({ enquiry_id }) => enquiry_id },
];
