import type { ListFilter } from "../lists/list-filter.ts";
import { PAYMENT_STATUSES, STATUSES, type Booking } from "./schema.ts";

/** How the bookings are narrowed: by words, a phone number, the status and the payment. */
export const bookingFilter: ListFilter<Booking> = {
  hint: "Name, company, phone, e-mail, note or course",
  text: ({ name, email, phone, company, note, course_dates }) => [name, email, phone, company, note, course_dates.course_name].join(" "),
  digits: ({ phone }) => phone ?? "",
  choices: [
    { name: "status", label: "Status", labels: STATUSES, of: ({ status }) => status },
    { name: "payment", label: "Payment", labels: PAYMENT_STATUSES, of: ({ payment_status }) => payment_status },
  ],
};
