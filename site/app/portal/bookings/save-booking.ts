import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import { parseForm } from "../forms/fields.ts";
import type { Outcome } from "../frame/outcome.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { alsoCompared, bookingFields, type Booking, type BookingValues } from "./fields.ts";
import { askAgain, failed, WITH_DATE } from "./queries.ts";

/** Saves the changed fields of a booking; another date moves it. */
export async function saveBooking(supabase: BrowserSupabase, edit: RecordEdit<Booking>, form: FormData): Promise<Outcome> {
  const checked = parseForm(bookingFields, form);
  if (!checked.ok) return checked;
  const { id, course_id, name } = edit.opened;
  const moves = checked.value.course_id !== course_id || checked.value.name !== name;
  const again = moves && (await askAgain(supabase, form, checked.value, id));
  if (again) return again;
  return saveRecord<BookingValues, Booking>(supabase, edit, checked.value, {
    table: "bookings",
    columns: WITH_DATE,
    noun: "booking",
    fields: bookingFields,
    alsoCompared,
    show: (field, row) => (field === "course_id" ? dateInWords(row.course_dates) : undefined),
    saved: `Booking of ${checked.value.name} saved.`,
    failed: (error) => failed("save", error),
  });
}
