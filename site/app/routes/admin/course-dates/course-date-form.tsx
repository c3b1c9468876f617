import { courseNames } from "content/courses/index.ts";
import { useEffect, useRef } from "react";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import type { Draft, DraftKey } from "../draft.ts";
import type { Done, Outcome } from "../outcome.ts";
import { PortalForm } from "../portal-form.tsx";
import { DEFAULT_CAPACITY, LEAST_CAPACITY, LONGEST_DESCRIPTION, MOST_CAPACITY, STATUSES } from "./schema.ts";

interface CourseDateFormProps {
  name: string;
  label: string;
  busyLabel: string;
  /** What the fields begin with; a new date without it. */
  begin?: Draft | undefined;
  draft?: DraftKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form of a course date, new or changed; it takes the focus as it opens. */
export function CourseDateForm({ begin, ...rest }: CourseDateFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("select")?.focus(), []);
  return (
    <div ref={box}>
      <PortalForm {...rest}>
        {({ typed, errorOf }) => {
          const value: Draft = { ...begin, ...typed };
          return (
            <>
              {/* Tells whose draft this is. */}
              {begin?.["id"] !== undefined && <input type="hidden" name="id" value={begin["id"]} />}
              <SelectField
                id="course_name"
                name="course_name"
                label="Course Type"
                required
                defaultValue={value["course_name"] ?? ""}
                error={errorOf("course_name")}
              >
                <option value="">Choose a course…</option>
                {courseNames.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </SelectField>
              <TextField
                id="course_date"
                name="course_date"
                type="datetime-local"
                label="Start Date"
                hint="The day and time in Britain, wherever you are."
                required
                max="9999-12-31T23:59"
                defaultValue={value["course_date"]}
                error={errorOf("course_date")}
              />
              <TextField
                id="end_date"
                name="end_date"
                type="date"
                label="Last Day"
                hint="Where it runs for more than a day."
                max="9999-12-31"
                defaultValue={value["end_date"]}
                error={errorOf("end_date")}
              />
              <TextField
                id="capacity"
                name="capacity"
                type="number"
                inputMode="numeric"
                label="Capacity"
                required
                min={LEAST_CAPACITY}
                max={MOST_CAPACITY}
                step={1}
                defaultValue={value["capacity"] ?? DEFAULT_CAPACITY}
                error={errorOf("capacity")}
              />
              <SelectField
                id="status"
                name="status"
                label="Status"
                required
                defaultValue={value["status"] ?? "open"}
                error={errorOf("status")}
              >
                {Object.entries(STATUSES).map(([status, text]) => (
                  <option key={status} value={status}>
                    {text}
                  </option>
                ))}
              </SelectField>
              <TextAreaField
                id="description"
                name="description"
                label="Description"
                maxLength={LONGEST_DESCRIPTION}
                defaultValue={value["description"]}
                error={errorOf("description")}
              />
            </>
          );
        }}
      </PortalForm>
    </div>
  );
}
