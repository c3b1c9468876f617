import { browserClient } from "../../supabase/supabase.client.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import { textOf } from "../forms/form-text.ts";
import type { SubmittedForm } from "../forms/portal-form.tsx";
import type { RecordEdit } from "../records/save-record.ts";
import { BookingForm } from "./booking-form.tsx";
import { BookingLetters } from "./booking-letters.tsx";
import type { Booking, Person } from "./fields.ts";
import { saveBooking } from "./save-booking.ts";
import { withNextToCall } from "./waiting-list/waiting-list.ts";

interface EditBookingProps extends Omit<SubmittedForm, "submit"> {
  edit: RecordEdit<Booking>;
  dates: readonly BookableDate[];
  /** The selected course date. */
  dateId: string | null;
  find: (words: string) => Promise<Person[]>;
}

/** The form that changes a booking, with its letters. */
export default function EditBooking({ edit, dates, dateId, ...shared }: EditBookingProps) {
  return (
    <div className="stack">
      <BookingForm
        {...shared}
        dates={withOwnDate(dates, edit.opened)}
        isLoaded={dates.length > 0}
        booking={edit.opened}
        submit={(form) => {
          const saving = saveBooking(browserClient(), edit, form);
          return frees(edit.opened, form) ? withNextToCall(browserClient(), edit.opened.course_id, dateId, saving) : saving;
        }}
      />
      <BookingLetters key={edit.opened.id} bookingId={edit.opened.id} />
    </div>
  );
}

/** True if the form frees places of the booking on its date. */
function frees({ course_id, places, status }: Booking, form: FormData): boolean {
  if (status !== "active") return false;
  return textOf(form, "course_id") !== course_id || textOf(form, "status") !== "active" || Number(textOf(form, "places")) < places;
}

/** Adds the date of an old booking to the choices. */
function withOwnDate(dates: readonly BookableDate[], { course_id, course_dates }: Booking): readonly BookableDate[] {
  if (dates.some(({ id }) => id === course_id)) return dates;
  return [{ id: course_id, ...course_dates, waiting_list: [] }, ...dates];
}
