import { useEffect, useMemo, useState, type SubmitEvent } from "react";
import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { bankHoliday } from "../../time/bank-holidays.ts";
import { officeClosure } from "../../time/closed-days.ts";
import { londonDate } from "../../time/london-date.ts";
import { londonToday } from "../../time/london-time.ts";
import { isWeekend } from "../../time/working-days.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { counted } from "../frame/counted.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { Contacts } from "../lists/contact/contact-link.tsx";
import styles from "./calendar.module.css";
import { listBooked, moveDate, trainerClashesOn } from "./move-date.ts";
import { dayInWords, type CalendarDate } from "./queries.ts";

const NO_CLASH = Promise.resolve(null);

interface MoveDialogProps {
  date: CalendarDate;
  /** The day that the form proposes. */
  day: string;
  onClose: () => void;
  onMoved: (outcome: Outcome) => void;
}

/** A course date with its people, and the form that moves it to another day. */
export default function MoveDialog({ date, day: proposed, onClose, onMoved }: MoveDialogProps) {
  const { id, course_name, course_date, capacity, places_taken } = date;
  const from = londonToday(Date.parse(course_date));
  const [day, setDay] = useState(proposed);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [booked] = useState(() => listBooked(browserClient(), id));
  const people = useLoaded(booked);
  const moved = day !== "" && day !== from;
  const clash = useLoaded(useMemo(() => (moved ? trainerClashesOn(browserClient(), date, day) : NO_CLASH), [date, day, moved]));

  // The button that opened the dialog is gone if somebody else deleted the date.
  useEffect(() => leaveToTitle, []);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!moved) return setError("Choose another day.");
    setBusy(true);
    const outcome = await outcomeOf(moveDate(browserClient(), date, day));
    setBusy(false);
    if (!outcome.ok && outcome.field !== undefined) return setError(outcome.message);
    onClose();
    onMoved(outcome);
  }

  return (
    <Dialog id="move-date" open onClose={onClose} title={`${course_name}, ${dayInWords(course_date)}, ${londonDate(course_date).time}`}>
      <p className="row">
        <strong>
          {places_taken} of {capacity} taken
        </strong>
        <Link to={`${href("/admin/bookings")}?date=${id}`}>Show bookings</Link>
        <Link to={href("/admin/courses/:dateId/register", { dateId: id })}>Register</Link>
      </p>
      <form className={styles.move} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          id="move-day"
          type="date"
          label="Move to"
          required
          value={day}
          error={error}
          onChange={(event) => {
            setError(undefined);
            setDay(event.currentTarget.value);
          }}
        />
        <Button type="submit" busy={busy}>
          {busy ? "Moving..." : "Move date"}
        </Button>
      </form>
      <LoadStatus result={people} label="Loading the people booked…" />
      {moved && (
        <div role="status" className={styles.warnings}>
          {[...warningsOf(day), clash ?? ""].filter(Boolean).map((warning) => (
            <p key={warning} className="problem">
              {warning}
            </p>
          ))}
          {people?.ok && people.rows.length > 0 && (
            <p className="problem">
              {counted(people.rows.length, "booking moves", "bookings move")} with the date. Those with an e-mail address get a letter;
              please call the others.
            </p>
          )}
        </div>
      )}
      {people?.ok && people.rows.length > 0 && (
        <ul className={styles.people}>
          {people.rows.map((person) => (
            <li key={person.id}>
              <strong>{person.name}</strong>
              <span>
                <Contacts {...person} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Moves the focus to the title of the page, unless something has it. */
function leaveToTitle(): void {
  if (document.activeElement === document.body) document.querySelector("h1")?.focus();
}

/** Describes the unusual properties of a day. */
function warningsOf(day: string): string[] {
  const holiday = bankHoliday(day);
  return [
    holiday !== undefined && `${dayInWords(day)} is a bank holiday: ${holiday}.`,
    holiday === undefined && officeClosure(day) !== undefined && `${dayInWords(day)}: the office is closed.`,
    isWeekend(day) && `${dayInWords(day)} is at the weekend.`,
    day < londonToday(Date.now()) && `${dayInWords(day)} is in the past.`,
  ].filter((warning) => warning !== false);
}
