import { useState } from "react";
import { Link } from "react-router";
import { SelectField } from "../../ui/field.tsx";
import { Message } from "../../ui/message.tsx";
import { readUnsaved } from "../forms/unsaved-form.ts";
import { textOf } from "../forms/form-text.ts";
import type { Done, Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import styles from "./date-panel.module.css";
import { dateInWords, type BookableDate } from "../bookable-dates/bookable-date.ts";
import { choiceInWords, placesInWords, placesOpen } from "../bookable-dates/places.ts";

interface DatePanelProps {
  userId: string;
  dateId: string;
  dates: readonly BookableDate[];
  move: (to: string) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** One course date above its bookings: its places, its register, and the form that moves all bookings. */
export function DatePanel({ userId, dateId, dates, move, onDone }: DatePanelProps) {
  const formKey = { userId, area: "move-bookings", form: "move" };
  const [unsaved] = useState(() => readUnsaved(formKey)?.["id"] === dateId);
  const date = dates.find(({ id }) => id === dateId);
  if (!date) {
    return dates.length === 0 ? null : (
      <Message>
        <p>This date does not exist any more.</p>
      </Message>
    );
  }
  // The same course first, since people usually move within it.
  const others = dates
    .filter(({ id }) => id !== dateId)
    .toSorted((a, b) => Number(b.course_name === date.course_name) - Number(a.course_name === date.course_name));
  return (
    <section className={styles.panel} aria-labelledby="date-title">
      <h2 id="date-title">{dateInWords(date)}</h2>
      <p className={styles.facts}>
        <strong>{placesInWords(date)}</strong>
        <Link to={`/admin/courses/${dateId}/register`}>Printable register</Link>
      </p>
      <details className={styles.move} open={unsaved}>
        <summary>Move all to…</summary>
        <PortalForm
          name="Move all bookings"
          label="Move all bookings"
          busyLabel="Moving..."
          formKey={formKey}
          about={dateId}
          submit={(form) => move(textOf(form, "target"))}
          onDone={onDone}
        >
          {({ field }) => (
            <SelectField
              {...field("target")}
              label="Another date"
              hint="Moves every active booking, or none if there are too few places."
              required
            >
              <option value="">Choose a date…</option>
              {others.map((each) => (
                <option key={each.id} value={each.id} disabled={placesOpen(each) === 0}>
                  {choiceInWords(each)}
                </option>
              ))}
            </SelectField>
          )}
        </PortalForm>
      </details>
    </section>
  );
}
