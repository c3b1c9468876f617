import { courseNames } from "content/courses/index.ts";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import type { DraftKey } from "../draft.ts";
import type { Done, Outcome } from "../outcome.ts";
import { PortalForm } from "../portal-form.tsx";
import { DEFAULT_CAPACITY, LEAST_CAPACITY, LONGEST_DESCRIPTION, MOST_CAPACITY } from "./schema.ts";

interface AddCourseDateProps {
  draft: DraftKey;
  submit: (form: FormData) => Promise<Outcome>;
  onDone: (outcome: Done) => void;
}

/** The form for one more course date. */
export function AddCourseDate(props: AddCourseDateProps) {
  return (
    <PortalForm name="New course date" label="Add Course" busyLabel="Adding..." {...props}>
      {({ typed, errorOf }) => (
        <>
          <SelectField
            id="course_name"
            name="course_name"
            label="Course Type"
            required
            defaultValue={typed["course_name"] ?? ""}
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
            defaultValue={typed["course_date"]}
            error={errorOf("course_date")}
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
            defaultValue={typed["capacity"] ?? DEFAULT_CAPACITY}
            error={errorOf("capacity")}
          />
          <TextAreaField
            id="description"
            name="description"
            label="Description"
            maxLength={LONGEST_DESCRIPTION}
            defaultValue={typed["description"]}
            error={errorOf("description")}
          />
        </>
      )}
    </PortalForm>
  );
}
