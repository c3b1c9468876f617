import type { Booking } from "./schema.ts";

type Cell = string | number | null;

/** Every column of a booking, in the order of the file. */
const columns: readonly { heading: string; cell: (booking: Booking) => Cell }[] = [
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

/** The bookings as a CSV file (RFC 4180) that spreadsheets open as UTF-8 and take no formula from. */
export function bookingsCsv(bookings: readonly Booking[]): string {
  const rows = [columns.map(({ heading }) => heading), ...bookings.map((booking) => columns.map(({ cell }) => cell(booking)))];
  return `\uFEFF${rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")}`;
}

/** A text that a spreadsheet would calculate gets an apostrophe in front, a plus before a phone number included. */
function quoted(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && /^[\s]*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
