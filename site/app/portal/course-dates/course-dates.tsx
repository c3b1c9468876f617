import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { initialValues } from "../forms/fields.ts";
import { subject } from "../forms/form-text.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import { rowOf } from "../frame/outcome.ts";
import { RecordPage } from "../records/record-page.tsx";
import { startEdit } from "../records/save-record.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { CourseDateList, inWords } from "./course-date-list.tsx";
import { courseDateFields, courseDateForm, START_TIME, USUAL_START, type CourseDateForm } from "./fields.ts";
import { EndPreview } from "./end-preview.tsx";
import { addCourseDate, listCourseDates, repeatCourseDate, saveCourseDate } from "./queries.ts";
import { RepeatForm } from "./repeat-form.tsx";
import { loadedBy } from "../lists/use-filters.ts";
import type { Route } from "./+types/course-dates";

export const shouldRevalidate = loadedBy("new");

const { course_date: startField, end_date: endField } = courseDateFields;

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return { dates: listCourseDates(browserClient()), requested: new URL(request.url).searchParams.has("new") };
}

/** The course dates, with forms to add, change and repeat them. */
export default function CourseDates({ loaderData: { dates, requested } }: Route.ComponentProps) {
  const page = useRecordPage<CourseDateForm>({
    area: "course-date",
    requested,
    async reopen(form, id) {
      const row = await rowOf(dates, id);
      if (!row) return null;
      return form === "repeat" ? { form, row } : { form: "edit", edit: startEdit(row) };
    },
    inWords: ({ course_name = "" }, form) => subject(form === "repeat" ? "repeated course date" : "course date", course_name),
  });
  return (
    <RecordPage page={page} addLabel="Add course date" form={<OpenForm page={page} />}>
      <CourseDateList dates={dates} page={page} />
    </RecordPage>
  );
}

function OpenForm({ page: { open, keyOf, finish } }: { page: RecordPageState<CourseDateForm> }) {
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
          about: open.edit.opened.id,
          begin: courseDateForm(open.edit.opened),
          submit: (form: FormData) => saveCourseDate(browserClient(), open.edit, form),
        }
      : {
          name: "New course date",
          label: "Add course date",
          busyLabel: "Adding...",
          addsRecord: true,
          begin: open.begin ?? { ...initialValues(courseDateFields), [START_TIME]: USUAL_START },
          submit: (form: FormData) => addCourseDate(browserClient(), form),
        };
  return (
    <PortalForm titled checksFields {...shared} {...own} takesFocus={open.form === "new" && open.begin ? "course_date" : true}>
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
