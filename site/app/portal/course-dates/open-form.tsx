import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { initialValues } from "../forms/fields.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import type { Loaded } from "../frame/outcome.ts";
import type { StaffAccount } from "../lists/people.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { inWords } from "./course-date-actions.tsx";
import { EndPreview } from "./end-preview.tsx";
import { courseDateFields, courseDateForm, START_TIME, USUAL_START, type CourseDateForm } from "./fields.ts";
import { RepeatForm } from "./repeat-form.tsx";
import { addCourseDate, repeatCourseDate, saveCourseDate } from "./save-dates.ts";
import { TrainerField } from "./trainer-field.tsx";

const { course_date: startField, end_date: endField } = courseDateFields;

interface OpenFormProps {
  page: RecordPageState<CourseDateForm>;
  people: Promise<Loaded<StaffAccount>>;
}

/** The open form of the page. */
export default function OpenForm({ page: { open, keyOf, finish }, people }: OpenFormProps) {
  if (!open) return null;
  const shared = { formKey: keyOf(open.form), onDone: finish };
  if (open.form === "repeat") {
    const { row } = open;
    return (
      <RepeatForm
        {...shared}
        what={inWords(row)}
        row={row}
        about={row.id}
        submit={(form) => repeatCourseDate(browserClient(), row, form)}
      />
    );
  }
  const own =
    open.form === "edit"
      ? {
          name: `Change ${inWords(open.edit.opened)}`,
          label: "Save course date",
          busyLabel: "Saving...",
          opened: open.edit.opened,
          begin: courseDateForm(open.edit.opened),
          submit: async (form: FormData) => {
            const accounts = await people;
            return saveCourseDate(browserClient(), open.edit, form, accounts.ok ? accounts.rows : []);
          },
        }
      : {
          name: "New course date",
          label: "Add course date",
          busyLabel: "Adding...",
          addsRecord: true,
          begin: open.form === "copy" ? open.begin : { ...initialValues(courseDateFields), [START_TIME]: USUAL_START },
          submit: (form: FormData) => addCourseDate(browserClient(), form),
        };
  return (
    <PortalForm titled checksFields {...shared} {...own} takesFocus={open.form === "copy" ? "course_date" : true}>
      {({ field }) => (
        <RecordFields
          fields={courseDateFields}
          field={field}
          own={{
            course_date: (
              <>
                <TextField {...field("course_date")} label={startField.label} hint={startField.hint} {...startField.control.attributes} />
                <TextField {...field(START_TIME)} label="Start time" type="time" required />
              </>
            ),
            trainer_id: <TrainerField {...field("trainer_id")} people={people} />,
            end_date: (
              <div>
                <TextField {...field("end_date")} label={endField.label} hint={endField.hint} {...endField.control.attributes} />
                <EndPreview />
              </div>
            ),
          }}
        />
      )}
    </PortalForm>
  );
}
