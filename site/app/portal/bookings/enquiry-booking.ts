import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { courseDateStatus } from "../time/course-date-status.ts";
import type { FormValues } from "../forms/unsaved-form.ts";
import { placesOpen } from "./places.ts";
import type { BookableDate } from "./schema.ts";

/** How a date stands that somebody who asks is offered. */
const TAKING: ReadonlySet<string> = new Set(["open", "confirmed"]);

/** An enquiry that is to become a booking: what was asked, and what the form begins with. */
export interface EnquiryToBook {
  id: string;
  name: string;
  message: string;
  begin: FormValues;
}

/** Reads an enquiry for the form of its booking, with the next date of its course that has a place; null where it is gone or was booked. */
export async function enquiryToBook(
  supabase: BrowserSupabase,
  id: string,
  dates: readonly BookableDate[],
  now: number,
): Promise<EnquiryToBook | null> {
  const { data } = await supabase.from("enquiries").select("id, name, reply_to, course_name, message, bookings(id)").eq("id", id);
  const enquiry = data?.[0];
  if (!enquiry || enquiry.bookings.length > 0) return null;
  const { name, reply_to, course_name, message } = enquiry;
  const date = dates
    .filter((each) => each.course_name === course_name && TAKING.has(courseDateStatus(each, now)) && placesOpen(each) > 0)
    .toSorted((a, b) => Date.parse(a.course_date) - Date.parse(b.course_date))[0];
  const begin = { name, [reply_to.includes("@") ? "email" : "phone"]: reply_to, course_id: date?.id ?? "" };
  return { id, name, message, begin };
}
