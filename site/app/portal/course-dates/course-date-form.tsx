import { courseNames } from "content/courses/index.ts";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import type { FormValues, FormKey } from "../forms/unsaved-form.ts";
import { Options } from "../forms/options.tsx";
import type { Done, Outcome } from "../frame/outcome.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { DEFAULT_CAPACITY, LEAST_CAPACITY, LONGEST_DESCRIPTION, MOST_CAPACITY, STATUSES } from "./schema.ts";

interface CourseDateFormProps {
  name: string;
  label: string;
  busyLabel: string;
  formKey: FormKey;
  /** The id of the date that is changed; a new one without it. */
  about?: string;
  /** What the fields begin with. */
  begin?: FormValues | undefined;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

const NEW_DATE: FormValues = { capacity: String(DEFAULT_CAPACITY), status: "open" };

/** The form of a course date, new or changed; it takes the focus as it opens. */
export function CourseDateForm({ begin = NEW_DATE, ...rest }: CourseDateFormProps) {
  return (
    <PortalForm begin={begin} takesFocus {...rest}>
      {({ field }) => (
        <>
          <SelectField {...field("course_name")} label="Course Type" required>
            <option value="">Choose a course…</option>
            {courseNames.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <TextField
            {...field("course_date")}
            label="Start Date"
            hint="The day and time in Britain, wherever you are."
            type="datetime-local"
            required
            max="9999-12-31T23:59"
          />
          <TextField
            {...field("end_date")}
            label="Last Day"
            hint="Empty: as many working days as the course takes."
            type="date"
            max="9999-12-31"
          />
          <TextField
            {...field("capacity")}
            label="Capacity"
            type="number"
            inputMode="numeric"
            required
            min={LEAST_CAPACITY}
            max={MOST_CAPACITY}
            step={1}
          />
          <SelectField {...field("status")} label="Status" required>
            <Options labels={STATUSES} />
          </SelectField>
          <TextAreaField {...field("description")} label="Description" maxLength={LONGEST_DESCRIPTION} />
        </>
      )}
    </PortalForm>
  );
}
