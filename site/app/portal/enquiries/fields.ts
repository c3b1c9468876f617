import { courseNames } from "content/course-names.ts";
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO, SHORTEST_REPLY_TO } from "content/enquiry-limits.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { londonDate, londonMoment } from "../../time/london-date.ts";
import { comparedDate } from "../bookable-dates/course-date-status.ts";
import { choice, optionalChoice, optionalText, requiredText } from "../forms/fields.ts";
import { lengthOf } from "../forms/form-text.ts";
import { counted } from "../frame/counted.ts";
import type { RecordEdit } from "../records/save-record.ts";
import { contactHref } from "../lists/contact/contact-href.ts";

type EnquiryRow = Database["public"]["Tables"]["enquiries"]["Row"];
type CourseDateRow = Database["public"]["Tables"]["course_dates"]["Row"];

/** An enquiry with the bookings that answer it and the course date of a request for places. */
export type Enquiry = EnquiryRow & {
  bookings: readonly EnquiryBooking[];
  course_dates: Pick<CourseDateRow, "course_date" | "status"> | null;
};

/** A booking that answers an enquiry, and its course date. */
interface EnquiryBooking {
  id: string;
  status: string;
  course_id: string;
  course_dates: Pick<CourseDateRow, "course_name" | "course_date">;
}

/** The forms of the page other than that of a new enquiry. */
export interface EnquiryForm {
  form: "edit";
  edit: RecordEdit<Enquiry>;
}

export const STATUSES = { new: "New", called: "Called", booked: "Booked", closed: "Closed" };

/** The fields of an enquiry that staff enter. */
export const enquiryFields = {
  name: requiredText({ label: "Name", max: LONGEST_NAME, error: "Enter the name of the customer." }),
  reply_to: requiredText({
    label: "E-mail or phone",
    max: LONGEST_REPLY_TO,
    error: "Enter an e-mail address or a phone number.",
    rule: {
      test: (text) => lengthOf(text) >= SHORTEST_REPLY_TO && contactHref(text) !== null,
      error: "Enter an e-mail address or a phone number.",
    },
  }),
  course_name: optionalChoice({
    label: "Course",
    options: Object.fromEntries(courseNames.map((name) => [name, name])),
    empty: "None in particular",
    error: "Choose a course from the list.",
  }),
  message: requiredText({ label: "Question", max: LONGEST_MESSAGE, rows: 4, error: "Enter the question." }),
};

/** The fields of an enquiry that staff change; those of the customer stay as they were sent. */
export const handlingFields = {
  note: optionalText({ label: "Note", hint: "Only staff see it.", max: 2000, rows: 4 }),
  status: choice({ label: "Status", options: STATUSES, error: "Choose a status." }),
};

/** Compared by the saves of enquiries, in addition to their fields. */
export const alsoCompared = { course_dates: comparedDate };

/** "2 places on Wed 2 Dec 2026, 09:00", "Waiting list: 1 place on …"; empty for an enquiry that is no request for places. */
export function requestInWords(enquiry: Pick<Enquiry, "request" | "places" | "held_until" | "course_dates">): string {
  const { request, places, held_until, course_dates } = enquiry;
  if (places === null) return "";
  const when = course_dates ? momentInWords(course_dates.course_date) : "a date that was deleted";
  const held = course_dates === null || held_until === null ? "" : `, held until ${momentInWords(held_until)}`;
  return `${request === "waiting" ? "Waiting list: " : ""}${counted(places, "place")} on ${when}${held}`;
}

function momentInWords(iso: string): string {
  const date = londonDate(iso);
  return `${date.weekday} ${londonMoment(date)}`;
}

/** True if a booking is not cancelled. */
export function isActive({ status }: EnquiryBooking): boolean {
  return status === "active";
}

/** True if staff still have something to do. */
export function isOpen(status: string): boolean {
  return status === "new" || status === "called";
}
