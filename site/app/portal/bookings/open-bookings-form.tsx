import { Suspense } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import type { OpenForm } from "../records/unsaved-input.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { BookingForm } from "./booking-form.tsx";
import type { BookingsForm } from "./open-form.ts";
import { addBooking, findPeople } from "./queries.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";

// Lazy: not needed to take a booking by phone.
const WaitingForm = lazyPart(() => import("./waiting-list/waiting-form.tsx"));
const EditBooking = lazyPart(() => import("./edit-booking.tsx"));

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
  if (open.form === "edit")
    return (
      <Suspense>
        <EditBooking {...shared} edit={open.edit} dates={dates} dateId={dateId} />
      </Suspense>
    );
  const enquiry = open.form === "enquiry" ? open.enquiry : null;
  const begin = open.form === "new" ? { course_id: dateId ?? "" } : open.enquiry.begin;
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
