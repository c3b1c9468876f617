import { Suspense } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import type { OpenForm, RecordPageState } from "../records/use-record-page.ts";
import { BookingForm } from "./booking-form.tsx";
import type { BookingsForm } from "./open-form.ts";
import { addBooking, findPeople, saveBooking } from "./queries.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import type { Booking } from "./fields.ts";
import { withNextToCall } from "./waiting-list/waiting-list.ts";

// Lazy: not needed to take a booking by phone.
const WaitingForm = lazyPart(() => import("./waiting-list/waiting-form.tsx"));
const BookingLetters = lazyPart(() => import("./booking-letters.tsx"));

interface OpenBookingsFormProps {
  open: OpenForm<BookingsForm>;
  page: RecordPageState<BookingsForm>;
  dates: readonly BookableDate[];
  /** The selected course date. */
  dateId: string | null;
}

/** The open form of the page. */
export function OpenBookingsForm({ open, page, dates, dateId }: OpenBookingsFormProps) {
  const shared = { formKey: page.keyOf(open.form), onDone: page.finish, find };
  if (open.form === "wait" || open.form === "wait-edit")
    return (
      <Suspense>
        <WaitingForm {...shared} dates={dates} about={open.form === "wait" ? open.dateId : open.edit} />
      </Suspense>
    );
  if (open.form === "edit") {
    const { edit } = open;
    return (
      <div className="stack">
        <BookingForm
          {...shared}
          dates={withOwnDate(dates, edit.opened)}
          booking={edit.opened}
          submit={(form) => {
            const saving = saveBooking(browserClient(), edit, form);
            return frees(edit.opened, form) ? withNextToCall(browserClient(), edit.opened.course_id, dateId, saving) : saving;
          }}
        />
        <Suspense>
          <BookingLetters key={edit.opened.id} bookingId={edit.opened.id} />
        </Suspense>
      </div>
    );
  }
  const enquiry = open.form === "enquiry" ? open.enquiry : null;
  const begin = open.form === "new" ? (open.begin ?? { course_id: dateId ?? "" }) : open.enquiry.begin;
  return (
    <BookingForm
      {...shared}
      dates={dates}
      enquiry={enquiry}
      begin={begin}
      submit={(form) => addBooking(browserClient(), form, enquiry?.id, dates)}
    />
  );
}

/** Declared once because the person field searches again when its `find` changes. */
function find(words: string) {
  return findPeople(browserClient(), words);
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
