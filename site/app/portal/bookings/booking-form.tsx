import { lazy, Suspense, useState } from "react";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import type { FormValues, FormKey } from "../forms/unsaved-form.ts";
import { Options } from "../forms/options.tsx";
import type { Done, Outcome } from "../frame/outcome.ts";
import { PortalForm, type FormState } from "../forms/portal-form.tsx";
import styles from "./booking-form.module.css";
import type { EnquiryToBook } from "./enquiry-booking.ts";
import { PersonField } from "./person-field.tsx";
import { choiceInWords, placesInWords, placesOpen } from "./places.ts";
import {
  LONGEST_COMPANY,
  LONGEST_EMAIL,
  LONGEST_NOTE,
  LONGEST_PHONE,
  MOST_PLACES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  STATUSES,
  type BookableDate,
  type Booking,
  type Person,
} from "./schema.ts";

// Not for the ringing phone.
const Asked = lazy(() => import("./enquiry-quote.tsx"));

interface FieldsProps {
  dates: readonly BookableDate[];
  /** The booking that is changed; a new one without it. */
  booking?: Booking;
  find: (words: string) => Promise<Person[]>;
}

interface BookingFormProps extends FieldsProps {
  /** What a new booking begins with. */
  begin?: FormValues | undefined;
  /** The enquiry a new booking comes of. */
  enquiry?: EnquiryToBook;
  formKey: FormKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** What the fields of a new booking begin with unless told otherwise. */
const NEW_BOOKING: FormValues = { places: "1", payment_status: "due" };

/** The form of a booking, with the name in focus: it is filled in while somebody is on the phone. */
export function BookingForm({ formKey, begin, enquiry, submit, onDone, ...fields }: BookingFormProps) {
  const { booking } = fields;
  const words = booking
    ? { name: `Booking of ${booking.name}`, label: "Save Booking", busyLabel: "Saving..." }
    : { name: "New booking", label: "Add Booking", busyLabel: "Adding..." };
  return (
    <PortalForm
      formKey={formKey}
      about={(booking ?? enquiry)?.id}
      begin={booking ? toForm(booking) : { ...NEW_BOOKING, ...begin }}
      takesFocus
      submit={submit}
      onDone={onDone}
      {...words}
    >
      {(state) => (
        <>
          {enquiry && (
            <Suspense>
              <Asked {...enquiry} />
            </Suspense>
          )}
          <Fields {...fields} {...state} />
        </>
      )}
    </PortalForm>
  );
}

function Fields({ dates, booking, find, value, errorOf, field }: FieldsProps & FormState) {
  const [chosen, setChosen] = useState(value["course_id"] ?? "");
  const date = dates.find(({ id }) => id === chosen);
  return (
    <>
      <PersonField {...field("name")} find={find} />
      <SelectField
        id="course_id"
        name="course_id"
        label="Date"
        hint={
          <span className={date && placesOpen(date) === 0 ? styles.full : styles.left}>
            {date ? placesInWords(date) : "Places left are shown here."}
          </span>
        }
        required
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={errorOf("course_id")}
      >
        <option value="">Choose a date…</option>
        {dates.map((each) => (
          <option key={each.id} value={each.id} disabled={placesOpen(each) === 0 && each.id !== booking?.course_id}>
            {choiceInWords(each)}
          </option>
        ))}
      </SelectField>
      <TextField {...field("places")} label="Places" type="number" inputMode="numeric" required min={1} max={MOST_PLACES} step={1} />
      <TextField {...field("phone")} label="Phone" type="tel" autoComplete="off" maxLength={LONGEST_PHONE} />
      <TextField {...field("email")} label="E-mail" type="email" autoComplete="off" maxLength={LONGEST_EMAIL} />
      <TextField {...field("company")} label="Company" autoComplete="off" maxLength={LONGEST_COMPANY} />
      <SelectField {...field("payment_status")} label="Payment" required>
        <Options labels={PAYMENT_STATUSES} />
      </SelectField>
      <SelectField {...field("payment_method")} label="Paid by">
        <option value="">Not said yet</option>
        <Options labels={PAYMENT_METHODS} />
      </SelectField>
      {booking && (
        <SelectField {...field("status")} label="Status" required>
          <Options labels={STATUSES} />
        </SelectField>
      )}
      <TextAreaField {...field("note")} label="Note" rows={3} maxLength={LONGEST_NOTE} />
    </>
  );
}

function toForm(booking: Booking): FormValues {
  return {
    course_id: booking.course_id,
    name: booking.name,
    email: booking.email ?? "",
    phone: booking.phone ?? "",
    company: booking.company ?? "",
    places: String(booking.places),
    payment_status: booking.payment_status,
    payment_method: booking.payment_method ?? "",
    note: booking.note ?? "",
    status: booking.status,
  };
}
