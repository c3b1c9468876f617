import { useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PortalForm, type FormState, type SubmittedForm } from "../forms/portal-form.tsx";
import type { FormValues } from "../forms/unsaved-form.ts";
import { counted } from "../frame/counted.ts";
import type { CourseDateValues } from "./fields.ts";
import { startsOf } from "./odd-dates.ts";
import { isDayField, MOST_REPEATS, repeatedDates } from "./repeat.ts";

interface RepeatFormProps extends SubmittedForm {
  /** The course date in words. */
  what: string;
  about: string;
  row: CourseDateValues;
}

const FOUR_MORE: FormValues = { how: "weekly", times: "4" };

/** Asks when a course date is repeated: every week, or on chosen days. */
export function RepeatForm({ what, row, ...rest }: RepeatFormProps) {
  return (
    <PortalForm
      name={`Repeat ${what}`}
      label="Add dates"
      busyLabel="Adding..."
      begin={FOUR_MORE}
      addsRecord
      titled
      checksFields
      takesFocus
      {...rest}
    >
      {(state) => (
        <>
          <p className="wide">
            Repeats <strong>{what}</strong>: the same time, length, capacity and description, without bookings.
          </p>
          <Fields {...state} />
          <Preview row={row} />
        </>
      )}
    </PortalForm>
  );
}

function Fields({ value, field }: FormState) {
  const [how, setHow] = useState(value["how"]);
  const [days, setDays] = useState(() => Math.max(1, Object.keys(value).filter(isDayField).length));
  const [added, setAdded] = useState(0);

  useEffect(() => {
    if (added > 0) document.getElementById(`day-${added + 1}`)?.focus();
  }, [added]);

  function addDay(): void {
    setAdded(days);
    setDays(days + 1);
  }

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
          <Button look="plain" onClick={addDay}>
            Another day
          </Button>
        </div>
      )}
    </>
  );
}

/** Shows how many dates the form adds and on which days. */
function Preview({ row }: { row: CourseDateValues }) {
  const line = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState("");

  // After every render: the fields of the form depend on one another.
  useEffect(() => {
    const form = line.current?.closest("form");
    if (!form) return;
    const update = (): void => {
      const dates = repeatedDates(row, new FormData(form));
      setText(dates.ok ? `Adds ${counted(dates.value.length, "date")}: ${startsOf(dates.value).join(", ")}.` : "");
    };
    update();
    form.addEventListener("input", update);
    return () => form.removeEventListener("input", update);
  });

  return (
    <p ref={line} role="status" className="wide">
      {text}
    </p>
  );
}
