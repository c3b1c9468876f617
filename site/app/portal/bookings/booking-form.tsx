import { Suspense } from "react";
import { lazyPart } from "../frame/lazy-part.tsx";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import { formValues, initialValues } from "../forms/fields.ts";
import { PortalForm, type SubmittedForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import type { FormValues } from "../forms/unsaved-form.ts";
import type { EnquiryToBook } from "./enquiry-booking.ts";
import { DateField } from "./date-field.tsx";
import { bookingFields, type Booking, type Person } from "./fields.ts";
import { PersonField } from "./person-field.tsx";

// Lazy: not needed to take a booking by phone.
const EnquiryQuote = lazyPart(() => import("./enquiry-quote.tsx"));

interface FieldsProps {
  dates: readonly BookableDate[];
  /** False while `dates` has at most the date of the booking. */
  isLoaded?: boolean;
  /** The booking to change; absent for a new one. */
  booking?: Booking;
  find: (words: string) => Promise<Person[]>;
}

interface BookingFormProps extends FieldsProps, SubmittedForm {
  /** Initial values of a new booking. */
  begin?: FormValues | undefined;
  /** The enquiry that a new booking answers. */
  enquiry?: EnquiryToBook | null;
}

/** The form of a booking. It is filled in during a phone call, so the name has the focus. */
export function BookingForm({ dates, isLoaded = dates.length > 0, booking, find, begin, enquiry, ...submitted }: BookingFormProps) {
  const words = booking
    ? { name: `Booking of ${booking.name}`, label: "Save booking", busyLabel: "Saving..." }
    : { name: "New booking", label: "Add booking", busyLabel: "Adding..." };
  return (
    <PortalForm
      {...submitted}
      {...words}
      about={enquiry?.id}
      opened={booking}
      addsRecord={!booking}
      begin={booking ? formValues(bookingFields, booking) : { ...initialValues(bookingFields), ...begin }}
      titled
      checksFields
      takesFocus
    >
      {(state) => (
        <>
          {enquiry && (
            <Suspense>
              <EnquiryQuote {...enquiry} />
            </Suspense>
          )}
          <RecordFields
            fields={bookingFields}
            field={state.field}
            own={{
              name: <PersonField {...state.field("name")} find={find} />,
              course_id: <DateField {...state} dates={dates} isLoaded={isLoaded} booking={booking} />,
              ...(booking ? {} : { status: null }),
            }}
          />
        </>
      )}
    </PortalForm>
  );
}
