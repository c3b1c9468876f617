import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PortalForm, type FormState, type SubmittedForm } from "../forms/portal-form.tsx";
import type { FormValues } from "../forms/unsaved-form.ts";
import { isDayField, MOST_REPEATS } from "./repeat.ts";

interface RepeatFormProps extends SubmittedForm {
  /** The course date in words. */
  what: string;
  about: string;
}

const FOUR_MORE: FormValues = { how: "weekly", times: "4" };

/** Asks when a course date is repeated: every week, or on chosen days. */
export function RepeatForm({ what, ...rest }: RepeatFormProps) {
  return (
    <PortalForm name={`Repeat ${what}`} label="Add dates" busyLabel="Adding..." begin={FOUR_MORE} addsRecord takesFocus {...rest}>
      {(state) => (
        <>
          <p className="wide">
            Repeats <strong>{what}</strong>: the same time, length, capacity and description, without bookings.
          </p>
          <Fields {...state} />
        </>
      )}
    </PortalForm>
  );
}

function Fields({ value, field }: FormState) {
  const [how, setHow] = useState(value["how"]);
  const [days, setDays] = useState(() => Math.max(1, Object.keys(value).filter(isDayField).length));
  return (
    <>
      <SelectField id="how" name="how" label="When" required value={how} onChange={(event) => setHow(event.currentTarget.value)}>
        <option value="weekly">Every week</option>
        <option value="days">On chosen days</option>
      </SelectField>
      {how === "weekly" ? (
        <TextField
          {...field("times")}
          label="How many more"
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={MOST_REPEATS}
          step={1}
        />
      ) : (
        Array.from({ length: days }, (_, index) => (
          <TextField
            key={index}
            {...field(`day-${index + 1}`)}
            label={`Day ${index + 1}`}
            type="date"
            required={index === 0}
            max="9999-12-31"
          />
        ))
      )}
      {how === "days" && days < MOST_REPEATS && (
        <div>
          <Button look="plain" onClick={() => setDays(days + 1)}>
            Another day
          </Button>
        </div>
      )}
    </>
  );
}
