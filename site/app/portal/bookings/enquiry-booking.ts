import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { courseDateStatus } from "../bookable-dates/course-date-status.ts";
import type { FormValues } from "../forms/unsaved-form.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import { placesOpen } from "../bookable-dates/places.ts";

/** Statuses of course dates that take bookings. */
const BOOKABLE: ReadonlySet<string> = new Set(["open", "confirmed"]);

/** An enquiry that becomes a booking, with the initial values of its form. */
export interface EnquiryToBook {
  id: string;
  name: string;
  message: string;
  begin: FormValues;
}

/** Reads an enquiry and suggests the date of a request, or the next one of its course with a free place; null if it was deleted or booked. */
export async function enquiryToBook(
  supabase: BrowserSupabase,
  id: string,
  dates: readonly BookableDate[],
  now: number,
): Promise<EnquiryToBook | null> {
  const { data } = await supabase
    .from("enquiries")
    .select("id, name, reply_to, phone, course_name, course_id, places, message, bookings(id)")
    .eq("id", id)
    .eq("bookings.status", "active");
  const enquiry = data?.[0];
  if (!enquiry || enquiry.bookings.length > 0) return null;
  const { name, reply_to, phone, course_name, course_id, places, message } = enquiry;
  const free = dates
    .filter((each) => each.course_name === course_name && BOOKABLE.has(courseDateStatus(each, now)) && placesOpen(each) >= (places ?? 1))
    .toSorted((a, b) => Date.parse(a.course_date) - Date.parse(b.course_date));
  const date = free.find((each) => each.id === course_id) ?? free[0];
  const begin = {
    name,
    ...(phone === null ? {} : { phone }),
    [reply_to.includes("@") ? "email" : "phone"]: reply_to,
    course_id: date?.id ?? "",
    // A request's message is meant for the booking; that of another enquiry is shown above the form.
    ...(places === null ? {} : { places: String(places), note: message }),
  };
  return { id, name, message, begin };
}
