import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import type { Done, Outcome } from "../outcome.ts";
import { PortalForm } from "../portal-form.tsx";
import { MOST_REPEATS } from "./repeat.ts";
import styles from "./repeat-form.module.css";

interface RepeatFormProps {
  /** The date that is repeated, in words. */
  what: string;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** Asks when a date is repeated: week after week, or on chosen days. */
export function RepeatForm({ what, submit, onDone }: RepeatFormProps) {
  const box = useRef<HTMLDivElement>(null);
  const [weekly, setWeekly] = useState(true);
  const [days, setDays] = useState(1);
  useEffect(() => box.current?.querySelector("select")?.focus(), []);
  return (
    <div ref={box}>
      <PortalForm name={`Repeat ${what}`} label="Add Dates" busyLabel="Adding..." submit={submit} onDone={onDone}>
        {({ errorOf }) => (
          <>
            <p className={styles.what}>
              Repeats <strong>{what}</strong>: the same hour, length, capacity and description, with nobody booked.
            </p>
            <SelectField
              id="how"
              name="how"
              label="When"
              required
              value={weekly ? "weekly" : "days"}
              onChange={(event) => setWeekly(event.currentTarget.value === "weekly")}
            >
              <option value="weekly">Every week</option>
              <option value="days">On chosen days</option>
            </SelectField>
            {weekly && (
              <TextField
                id="times"
                name="times"
                type="number"
                inputMode="numeric"
                label="How many more"
                required
                min={1}
                max={MOST_REPEATS}
                step={1}
                defaultValue={4}
                error={errorOf("times")}
              />
            )}
            {!weekly &&
              Array.from({ length: days }, (_, index) => (
                <TextField
                  key={index}
                  id={`day-${index + 1}`}
                  name="day"
                  type="date"
                  label={`Day ${index + 1}`}
                  required={index === 0}
                  max="9999-12-31"
                  error={index === 0 ? errorOf("day") : undefined}
                />
              ))}
            {!weekly && days < MOST_REPEATS && (
              <div>
                <Button look="plain" onClick={() => setDays(days + 1)}>
                  Another Day
                </Button>
              </div>
            )}
          </>
        )}
      </PortalForm>
    </div>
  );
}
