import { use, useState } from "react";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { dateInWords, type BookableDate } from "../../bookable-dates/bookable-date.ts";
import { isPast } from "../../bookable-dates/course-date-status.ts";
import { choiceInWords, placesOpen } from "../../bookable-dates/places.ts";
import { counted } from "../../frame/counted.ts";
import { LoadStatus } from "../../frame/load-status.tsx";
import { outcomeOf, type Loaded, type Outcome, type Refusal } from "../../frame/outcome.ts";
import { RoutingContext } from "../../frame/routing.tsx";
import { useLoaded } from "../../frame/use-loaded.ts";
import { Contacts } from "../../lists/contact/contact-link.tsx";
import { WriteTo } from "../../lists/selection/write-to.tsx";
import { paymentInWords, type Booking } from "../fields.ts";
import styles from "./call-off-dialog.module.css";
import { callOff } from "./queries.ts";

const GONE = "The date that you chose is not available any more. Choose another.";

interface CallOffDialogProps {
  date: BookableDate;
  dates: readonly BookableDate[];
  bookings: Promise<Loaded<Booking>>;
  onClose: () => void;
  onDone: (outcome: Outcome) => void;
}

/** Calls a course date off: shows who is booked, writes to all, moves all to another date of the course, and cancels the date. */
export default function CallOffDialog({ date, dates, bookings, onClose, onDone }: CallOffDialogProps) {
  const result = useLoaded(bookings);
  const people = result?.ok ? result.rows.filter(({ status }) => status === "active") : [];
  const [targetId, setTargetId] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const others = dates.filter((other) => other.id !== date.id && other.course_name === date.course_name && !isPast(other));
  const target = others.find(({ id }) => id === targetId);
  // Somebody else deleted the chosen date; the select must not show another choice instead.
  const isGone = people.length > 0 && targetId !== "" && !target;
  const { reload } = use(RoutingContext);
  const needed = people.reduce((sum, { places }) => sum + places, 0);

  async function confirm(): Promise<void> {
    if (isGone) return;
    setBusy(true);
    const outcome = await outcomeOf(callOff(browserClient(), date, target));
    setBusy(false);
    if (!outcome.ok) {
      setRefusal(outcome);
      if (outcome.stale) await reload();
      return;
    }
    onClose();
    onDone(outcome);
  }

  return (
    <Dialog
      id="call-off"
      open
      title={`Call off ${dateInWords(date)}?`}
      onClose={onClose}
      actions={
        <>
          <Button look="plain" onClick={onClose}>
            Keep date
          </Button>
          <Button look="danger" disabled={!result?.ok} busy={busy} onClick={() => void confirm()}>
            {busy ? "Calling off..." : "Call off"}
          </Button>
        </>
      }
    >
      <LoadStatus result={result} label="Loading the people booked…" />
      {result?.ok && people.length === 0 && <p>Nobody is booked.</p>}
      {people.length > 0 && (
        <div className="stack">
          <People people={people} isMoving={target !== undefined} />
          <WriteToAll people={people} date={date} target={target} />
          <SelectField
            id="call-off-target"
            label="Move all to"
            standalone
            value={targetId}
            disabled={busy}
            error={isGone ? GONE : refusal?.field === "target" ? refusal.message : undefined}
            onChange={(event) => {
              setTargetId(event.currentTarget.value);
              setRefusal(null);
            }}
          >
            <option value="">Nowhere: their bookings stay on record here</option>
            {isGone && <option value={targetId}>Not available any more</option>}
            {others.map((other) => (
              <option key={other.id} value={other.id} disabled={placesOpen(other) < needed}>
                {choiceInWords(other)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {refusal && refusal.field === undefined && (
        <p role="alert" className="problem">
          {refusal.message}
        </p>
      )}
    </Dialog>
  );
}

function People({ people, isMoving }: { people: readonly Booking[]; isMoving: boolean }) {
  const paid = people.filter(({ payment_status }) => payment_status === "paid");
  return (
    <>
      <ul className={styles.people}>
        {people.map((booking) => (
          <li key={booking.id}>
            <strong>
              {booking.name}
              {booking.places > 1 && `, ${booking.places} places`}
            </strong>
            <Contacts name={booking.name} phone={booking.phone} email={booking.email} />
            <span className="chip" data-tone={booking.payment_status}>
              {paymentInWords(booking)}
            </span>
          </li>
        ))}
      </ul>
      {paid.length > 0 && !isMoving && (
        <p className="problem">
          {counted(paid.length, "booking is paid", "bookings are paid")}. Note a refund for {paid.map(({ name }) => name).join(", ")}.
        </p>
      )}
    </>
  );
}

/** Opens a mail to all, and names those without an address. */
function WriteToAll({ people, date, target }: { people: readonly Booking[]; date: BookableDate; target: BookableDate | undefined }) {
  const without = people.filter(({ email }) => email === null).map(({ name }) => name);
  const body = [
    `We are sorry: ${dateInWords(date)} does not take place.`,
    target && `We have moved your booking to ${dateInWords(target)}. Please tell us if you cannot come.`,
  ];
  return (
    <>
      <div className="row">
        <WriteTo people={people} begin={{ subject: `Called off: ${dateInWords(date)}`, body: body.filter(Boolean).join("\n\n") }} />
      </div>
      {without.length > 0 && <p>Without an e-mail address, please call: {without.join(", ")}.</p>}
    </>
  );
}
