import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { startEdit, type RecordEdit } from "../records/save-record.ts";
import { rowOf, type Loaded } from "../frame/outcome.ts";
import type { EnquiryToBook } from "./enquiry-booking.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import type { Booking } from "./fields.ts";
import { readBooking } from "./queries.ts";
import type { WaitingEntry } from "./waiting-list/waiting-list.ts";

/** The forms of the page other than that of a new booking. */
export type BookingsForm =
  | { form: "edit"; edit: RecordEdit<Booking> }
  | { form: "enquiry"; enquiry: EnquiryToBook }
  | { form: "wait"; dateId: string }
  | { form: "wait-edit"; edit: RecordEdit<WaitingEntry> };

/** The lists whose records the forms open. */
interface BookingsLists {
  dates: Promise<Loaded<BookableDate>>;
  waiting: Promise<Loaded<WaitingEntry>>;
}

/** Opens a form by its name and the id of its record; null if the record does not exist any more, or there is no network. */
export async function openForm(
  supabase: BrowserSupabase,
  { dates, waiting }: BookingsLists,
  form: string,
  id: string,
): Promise<BookingsForm | null> {
  switch (form) {
    case "edit": {
      const booking = await rowOf(readBooking(supabase, id), id);
      return booking ? { form, edit: startEdit(booking) } : null;
    }
    case "enquiry": {
      // Without a network, the code of the form cannot be loaded.
      const [known, code] = await Promise.all([dates, import("./enquiry-booking.ts").catch(() => null)]);
      const enquiry = code && (await code.enquiryToBook(supabase, id, known.ok ? known.rows : [], Date.now()));
      return enquiry && { form, enquiry };
    }
    case "wait":
      return (await rowOf(dates, id)) ? { form, dateId: id } : null;
    case "wait-edit": {
      const entry = await rowOf(waiting, id);
      return entry ? { form, edit: startEdit(entry) } : null;
    }
    default:
      return null;
  }
}
