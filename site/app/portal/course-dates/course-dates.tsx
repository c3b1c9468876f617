import { browserClient } from "../../supabase/supabase.client.ts";
import { formValues, initialValues } from "../forms/fields.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import { LoadingPage } from "../frame/loading-page.tsx";
import { rowOf } from "../frame/outcome.ts";
import { portalMeta } from "../frame/portal-meta.ts";
import { RecordPage } from "../records/record-page.tsx";
import { startEdit, type RecordEdit } from "../records/save-record.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { requireSession } from "../session/session.ts";
import { CourseDateList, inWords } from "./course-date-list.tsx";
import { courseDateFields, type CourseDate } from "./fields.ts";
import { addCourseDate, deleteCourseDate, listCourseDates, repeatCourseDate, saveCourseDate } from "./queries.ts";
import { RepeatForm } from "./repeat-form.tsx";
import type { Route } from "./+types/course-dates";

const TITLE = "Course Management";

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader() {
  const { user } = await requireSession();
  return { userId: user.id, email: user.email, now: Date.now(), dates: listCourseDates(browserClient()) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LoadingPage title={TITLE} />;
}

type Form = { form: "edit"; edit: RecordEdit<CourseDate> } | { form: "repeat"; row: CourseDate };

/** The course dates, with forms to add, change and repeat them. */
export default function CourseDates({ loaderData: { userId, email, now, dates } }: Route.ComponentProps) {
  const page = useRecordPage<Form>({
    userId,
    area: "course-date",
    async reopen(form, id) {
      const row = await rowOf(dates, id);
      if (!row) return null;
      return form === "repeat" ? { form, row } : { form: "edit", edit: startEdit(row) };
    },
  });
  return (
    <RecordPage title={TITLE} email={email} page={page} addLabel="Add course date" form={<OpenForm page={page} />}>
      <CourseDateList
        now={now}
        dates={dates}
        edit={(row) => page.begin({ form: "edit", edit: startEdit(row) })}
        copy={(row) => page.begin({ form: "new", begin: { ...formValues(courseDateFields, row), status: "open" } })}
        repeat={(row) => page.begin({ form: "repeat", row })}
        remove={(id) => page.act(() => deleteCourseDate(browserClient(), id))}
      />
    </RecordPage>
  );
}

function OpenForm({ page: { open, keyOf, finish } }: { page: RecordPageState<Form> }) {
  if (!open) return null;
  const shared = { formKey: keyOf(open.form), onDone: finish };
  if (open.form === "repeat") {
    const { row } = open;
    return <RepeatForm {...shared} what={inWords(row)} about={row.id} submit={(form) => repeatCourseDate(browserClient(), row, form)} />;
  }
  const own =
    open.form === "edit"
      ? {
          name: `Change ${inWords(open.edit.opened)}`,
          label: "Save course date",
          busyLabel: "Saving...",
          about: open.edit.opened.id,
          begin: formValues(courseDateFields, open.edit.opened),
          submit: (form: FormData) => saveCourseDate(browserClient(), open.edit, form),
        }
      : {
          name: "New course date",
          label: "Add course date",
          busyLabel: "Adding...",
          addsRecord: true,
          begin: open.begin ?? initialValues(courseDateFields),
          submit: (form: FormData) => addCourseDate(browserClient(), form),
        };
  return (
    <PortalForm {...shared} {...own} takesFocus>
      {({ field }) => <RecordFields fields={courseDateFields} field={field} />}
    </PortalForm>
  );
}
