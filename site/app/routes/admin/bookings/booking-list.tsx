import { useState } from "react";
import { londonDate } from "../../../london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { DeleteButton } from "../delete-button.tsx";
import type { Loaded, Outcome } from "../outcome.ts";
import { RecordList, type Column } from "../record-list.tsx";
import { RowActions } from "../row-actions.tsx";
import { useSettled } from "../settled.ts";
import { matches, NO_FILTER } from "./booking-filter.ts";
import styles from "./booking-list.module.css";
import { bookingsCsv } from "./csv.ts";
import { dateInWords, PAYMENT_STATUSES, paymentInWords, STATUSES, type Booking } from "./schema.ts";

interface BookingListProps {
  bookings: Promise<Loaded<Booking>>;
  edit: (booking: Booking) => void;
  cancel: (id: string) => Promise<Outcome>;
  remove: (id: string) => Promise<Outcome>;
  onOutcome: (outcome: Outcome) => void;
}

const columns: readonly Column<Booking>[] = [
  { heading: "Name", cell: ({ name, company }) => <Who name={name} company={company} /> },
  { heading: "Date", cell: ({ course_dates }) => <When {...course_dates} /> },
  { heading: "Contact", cell: (booking) => <Contact {...booking} /> },
  { heading: "Places", cell: ({ places }) => <span className="number">{places}</span> },
  { heading: "Payment", cell: (booking) => paymentInWords(booking) },
  { heading: "Note", cell: ({ note, status }) => [status === "cancelled" && "Cancelled", note].filter(Boolean).join(". ") },
];

/** The bookings with a search over them; what it leaves is what the file holds too. */
export function BookingList({ bookings, edit, cancel, remove, onOutcome }: BookingListProps) {
  const [filter, setFilter] = useState(NO_FILTER);
  const answer = useSettled(bookings);
  const rows = answer?.ok ? answer.rows : [];
  const listed = rows.filter((booking) => matches(booking, filter));
  const narrow = (change: Partial<typeof filter>): void => setFilter({ ...filter, ...change });
  return (
    <>
      <search className={styles.filter}>
        <TextField
          id="words"
          type="search"
          standalone
          label="Search"
          hint="Name, company, phone, e-mail, note or course"
          value={filter.words}
          onChange={(event) => narrow({ words: event.currentTarget.value })}
        />
        <Choice id="show-status" label="Status" labels={STATUSES} value={filter.status} choose={(status) => narrow({ status })} />
        <Choice
          id="show-payment"
          label="Payment"
          labels={PAYMENT_STATUSES}
          value={filter.payment}
          choose={(payment) => narrow({ payment })}
        />
      </search>
      <div className={styles.summary}>
        <p role="status">{answer?.ok && inTotal(listed, rows.length)}</p>
        <Button look="plain" size="small" disabled={listed.length === 0} onClick={() => download(listed)}>
          Export CSV
        </Button>
      </div>
      <RecordList
        caption="Bookings"
        loaded={bookings}
        columns={columns}
        empty={
          <>
            <p>No bookings here yet...</p>
            <p>Take the first one with “New Booking”.</p>
          </>
        }
        keep={(booking) => matches(booking, filter)}
        isPast={({ status }) => status === "cancelled"}
        renderActions={(booking) => (
          <RowActions>
            <Button look="plain" size="small" aria-label={`Edit ${inWords(booking)}`} onClick={() => edit(booking)}>
              Edit
            </Button>
            {booking.status === "active" && (
              <DeleteButton
                id={`cancel-${booking.id}`}
                verb="Cancel"
                busyLabel="Cancelling..."
                keepLabel="Keep it"
                what={inWords(booking)}
                question="Cancel this booking? Its places become free; the booking stays on record."
                run={() => cancel(booking.id)}
                onOutcome={onOutcome}
              />
            )}
            <DeleteButton
              id={booking.id}
              what={inWords(booking)}
              question="Are you sure you want to delete this booking?"
              run={() => remove(booking.id)}
              onOutcome={onOutcome}
            />
          </RowActions>
        )}
      />
    </>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  labels: Readonly<Record<string, string>>;
  value: string;
  choose: (value: string) => void;
}

function Choice({ id, label, labels, value, choose }: ChoiceProps) {
  return (
    <SelectField id={id} label={label} standalone value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">All</option>
      {Object.entries(labels).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function Who({ name, company }: Pick<Booking, "name" | "company">) {
  return (
    <>
      <strong>{name}</strong>
      {company !== null && <span className={styles.second}>{company}</span>}
    </>
  );
}

function When({ course_name, course_date }: Booking["course_dates"]) {
  const { instant, weekday, day, month, year, time } = londonDate(course_date);
  return (
    <>
      {course_name}
      <time dateTime={instant} className={styles.second}>
        {weekday} {day} {month} {year}, {time}
      </time>
    </>
  );
}

function Contact({ phone, email }: Pick<Booking, "phone" | "email">) {
  return (
    <>
      {phone !== null && <a href={`tel:${phone.replaceAll(/[^+\d]/g, "")}`}>{phone}</a>}
      {email !== null && (
        <a className={styles.second} href={`mailto:${email}`}>
          {email}
        </a>
      )}
    </>
  );
}

function inWords({ name, course_dates }: Booking): string {
  return `${name}, ${dateInWords(course_dates)}`;
}

function inTotal(listed: readonly Booking[], all: number): string {
  const places = listed.reduce((sum, { places: each, status }) => sum + (status === "active" ? each : 0), 0);
  const bookings = listed.length === all ? `${all}` : `${listed.length} of ${all}`;
  return `${bookings} booking(s), ${places} active place(s)`;
}

function download(bookings: readonly Booking[]): void {
  const url = URL.createObjectURL(new Blob([bookingsCsv(bookings)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `bookings-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
