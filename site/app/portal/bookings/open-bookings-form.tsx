import { lazy, Suspense } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { textOf } from "../forms/form-text.ts";
import type { OpenForm, RecordPageState } from "../records/use-record-page.ts";
import { BookingForm } from "./booking-form.tsx";
import type { BookingsForm } from "./open-form.ts";
import { addBooking, findPeople, saveBooking } from "./queries.ts";
import type { BookableDate, Booking } from "./schema.ts";
import { withNextToCall } from "./waiting-list/waiting-list.ts";

// Not for the ringing phone.
const WaitingForm = lazy(() => import("./waiting-list/waiting-form.tsx"));

interface OpenBookingsFormProps {
  open: OpenForm<BookingsForm>;
  page: RecordPageState<BookingsForm>;
  dates: readonly BookableDate[];
  /** The date that is shown. */
  dateId: string | null;
}

/** Whichever form of the page is open. */
export function OpenBookingsForm({ open, page, dates, dateId }: OpenBookingsFormProps) {
  const shared = { formKey: page.keyOf(open.form), onDone: page.finish, find };
  switch (open.form) {
    case "edit": {
      const { edit } = open;
      return (
        <BookingForm
          {...shared}
          dates={withOwnDate(dates, edit.opened)}
          booking={edit.opened}
          submit={(form) => {
            const saving = saveBooking(browserClient(), edit, form);
            return frees(edit.opened, form) ? withNextToCall(browserClient(), edit.opened.course_id, dateId, saving) : saving;
          }}
        />
      );
    }
    case "enquiry": {
      const { enquiry } = open;
      return (
        <BookingForm
          {...shared}
          dates={dates}
          enquiry={enquiry}
          begin={enquiry.begin}
          submit={(form) => addBooking(browserClient(), form, enquiry.id)}
        />
      );
    }
    case "wait":
    case "wait-edit":
      return (
        <Suspense>
          <WaitingForm {...shared} dates={dates} about={open.form === "wait" ? open.dateId : open.edit} />
        </Suspense>
      );
    case "new":
      return (
        <BookingForm
          {...shared}
          dates={dates}
          begin={open.begin ?? { course_id: dateId ?? "" }}
          submit={(form) => addBooking(browserClient(), form)}
        />
      );
  }
}

/** A constant, since the field of the person looks again whenever it is another. */
function find(words: string) {
  return findPeople(browserClient(), words);
}

/** Whether what was filled in leaves the booking fewer places on its date than it had. */
function frees({ course_id, places, status }: Booking, form: FormData): boolean {
  if (status !== "active") return false;
  return textOf(form, "course_id") !== course_id || textOf(form, "status") !== "active" || Number(textOf(form, "places")) < places;
}

/** An old booking keeps its date among the choices. */
function withOwnDate(dates: readonly BookableDate[], { course_id, course_dates }: Booking): readonly BookableDate[] {
  if (dates.some(({ id }) => id === course_id)) return dates;
  return [{ id: course_id, ...course_dates, waiting_list: [] }, ...dates];
}
