import { courseByName } from "content/courses/index.ts";
import { enquiryReference } from "content/enquiry-reference.ts";
import { provider } from "content/provider.ts";
import type { Database } from "../../../supabase/database.types.ts";
import { pounds } from "../course-dates/money.ts";
import { teachingHours } from "../time/teaching-hours.ts";
import { lastDayOf } from "../time/last-day.ts";
import { londonDate } from "../time/london-date.ts";
import type { LetterValues } from "./letter-text.ts";

type Row<Table extends keyof Database["public"]["Tables"]> = Database["public"]["Tables"][Table]["Row"];

/** The records that a letter is about: a booking or an entry of a waiting list with its course date, or an enquiry. */
export interface LetterRecords {
  booking: Pick<Row<"bookings">, "name" | "places" | "payment_status"> | null;
  waiting: Pick<Row<"waiting_list">, "name" | "places"> | null;
  enquiry: Pick<Row<"enquiries">, "id" | "course_name"> | null;
  course_date: Pick<Row<"course_dates">, "course_name" | "course_date" | "end_date"> | null;
}

/**
 * Returns the values of all fields; `oldStart` is the start that a date had before it moved, an ISO instant. Those of an enquiry contain
 * no text of the visitor: anybody can enter the address of somebody else.
 */
export function letterValues({ booking, waiting, enquiry, course_date: date }: LetterRecords, oldStart: string | null): LetterValues {
  const { address, name, phone, email, openingHours } = provider;
  const course = courseByName(date?.course_name ?? enquiry?.course_name ?? "");
  const place = `${course?.location ?? provider.venue}, ${address.street}, ${address.locality} ${address.postalCode}`;
  return {
    provider: name,
    phone,
    email,
    "opening hours": openingHours.text,
    course: course?.title ?? date?.course_name ?? "",
    venue: place,
    name: (booking ?? waiting)?.name ?? "",
    places: String((booking ?? waiting)?.places ?? ""),
    "price due": booking && course ? priceDue(booking, course.price) : "",
    bring: listed(course?.bring),
    prerequisites: listed(course?.prerequisites),
    "old date": oldStart === null ? "" : dayAndTime(oldStart),
    date: date ? days(date) : "",
    time: date ? teachingHours(date) : "",
    reference: enquiry ? enquiryReference(enquiry.id) : "",
  };
}

/** "Wednesday 2 December 2026 to Friday 11 December 2026" */
function days(date: NonNullable<LetterRecords["course_date"]>): string {
  const first = londonDate(date.course_date).long;
  const last = londonDate(lastDayOf(date)).long;
  return first === last ? first : `${first} to ${last}`;
}

function dayAndTime(iso: string): string {
  const { long, time } = londonDate(iso);
  return `${long}, ${time}`;
}

function priceDue({ payment_status, places }: NonNullable<LetterRecords["booking"]>, price: number): string {
  return payment_status === "paid" ? "nothing, it is paid" : pounds(price * places);
}

function listed(lines: readonly string[] | undefined): string {
  return lines === undefined || lines.length === 0 ? "- nothing special" : lines.map((line) => `- ${line}`).join("\n");
}
