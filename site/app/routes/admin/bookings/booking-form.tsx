import { useEffect, useRef, useState } from "react";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import type { Draft, DraftKey } from "../draft.ts";
import type { Done, Outcome } from "../outcome.ts";
import { PortalForm, type FormState } from "../portal-form.tsx";
import styles from "./booking-form.module.css";
import { PersonField } from "./person-field.tsx";
import {
  choiceInWords,
  LONGEST_COMPANY,
  LONGEST_EMAIL,
  LONGEST_NOTE,
  LONGEST_PHONE,
  MOST_PLACES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  placesInWords,
  placesOpen,
  STATUSES,
  type BookableDate,
  type Booking,
  type Person,
} from "./schema.ts";

interface FieldsProps {
  dates: readonly BookableDate[];
  /** The date to begin with. */
  dateId?: string | undefined;
  /** The booking that is changed; a new one without it. */
  booking?: Booking;
  find: (words: string) => Promise<Person[]>;
}

interface BookingFormProps extends FieldsProps {
  draft: DraftKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form of a booking, with the name in focus: it is filled in while somebody is on the phone. */
export function BookingForm({ draft, submit, onDone, ...fields }: BookingFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  const words = fields.booking
    ? { name: `Booking of ${fields.booking.name}`, label: "Save Booking", busyLabel: "Saving..." }
    : { name: "New booking", label: "Add Booking", busyLabel: "Adding..." };
  return (
    <div ref={box}>
      <PortalForm draft={draft} submit={submit} onDone={onDone} {...words}>
        {(state) => <Fields {...fields} {...state} />}
      </PortalForm>
    </div>
  );
}

function Fields({ dates, dateId, booking, find, typed, errorOf }: FieldsProps & FormState) {
  const begin: Draft = { ...valuesOf(booking, dateId), ...typed };
  const [chosen, setChosen] = useState(begin["course_id"] ?? "");
  const date = dates.find(({ id }) => id === chosen);
  return (
    <>
      {/* Tells whose draft this is. */}
      {booking && <input type="hidden" name="id" value={booking.id} />}
      <PersonField defaultValue={begin["name"]} error={errorOf("name")} find={find} />
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
      <TextField
        id="places"
        name="places"
        type="number"
        inputMode="numeric"
        label="Places"
        required
        min={1}
        max={MOST_PLACES}
        step={1}
        defaultValue={begin["places"]}
        error={errorOf("places")}
      />
      <TextField
        id="phone"
        name="phone"
        type="tel"
        label="Phone"
        autoComplete="off"
        maxLength={LONGEST_PHONE}
        defaultValue={begin["phone"]}
        error={errorOf("phone")}
      />
      <TextField
        id="email"
        name="email"
        type="email"
        label="E-mail"
        autoComplete="off"
        maxLength={LONGEST_EMAIL}
        defaultValue={begin["email"]}
        error={errorOf("email")}
      />
      <TextField
        id="company"
        name="company"
        label="Company"
        autoComplete="off"
        maxLength={LONGEST_COMPANY}
        defaultValue={begin["company"]}
        error={errorOf("company")}
      />
      <SelectField
        id="payment_status"
        name="payment_status"
        label="Payment"
        required
        defaultValue={begin["payment_status"]}
        error={errorOf("payment_status")}
      >
        <Options labels={PAYMENT_STATUSES} />
      </SelectField>
      <SelectField
        id="payment_method"
        name="payment_method"
        label="Paid by"
        defaultValue={begin["payment_method"]}
        error={errorOf("payment_method")}
      >
        <option value="">Not said yet</option>
        <Options labels={PAYMENT_METHODS} />
      </SelectField>
      {booking && (
        <SelectField id="status" name="status" label="Status" required defaultValue={begin["status"]} error={errorOf("status")}>
          <Options labels={STATUSES} />
        </SelectField>
      )}
      <TextAreaField
        id="note"
        name="note"
        label="Note"
        rows={3}
        maxLength={LONGEST_NOTE}
        defaultValue={begin["note"]}
        error={errorOf("note")}
      />
    </>
  );
}

function Options({ labels }: { labels: Readonly<Record<string, string>> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

function valuesOf(booking: Booking | undefined, dateId: string | undefined): Draft {
  if (!booking) return { course_id: dateId ?? "", places: "1", payment_status: "due", payment_method: "" };
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
