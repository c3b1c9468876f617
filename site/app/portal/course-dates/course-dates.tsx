import { browserClient } from "../../supabase/supabase.client.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import { startEdit, type RecordEdit } from "../records/save-record.ts";
import { rowOf } from "../frame/outcome.ts";
import { portalMeta } from "../frame/portal-meta.ts";
import { RecordPage } from "../records/record-page.tsx";
import { requireSession } from "../session/session.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { CourseDateForm } from "./course-date-form.tsx";
import { CourseDateList, inWords } from "./course-date-list.tsx";
import { addCourseDate, deleteCourseDate, listCourseDates, repeatCourseDate, saveCourseDate } from "./queries.ts";
import { RepeatForm } from "./repeat-form.tsx";
import { toForm, type CourseDate } from "./schema.ts";
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

/** Every course date, with a form to add one, and to change, copy, repeat or delete each. */
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
    <RecordPage title={TITLE} email={email} page={page} addLabel="Add Course" form={<OpenForm page={page} />}>
      <CourseDateList
        now={now}
        dates={dates}
        edit={(row) => page.begin({ form: "edit", edit: startEdit(row) })}
        copy={(row) => page.begin({ form: "new", begin: { ...toForm(row), status: "open" } })}
        repeat={(row) => page.begin({ form: "repeat", row })}
        remove={(id) => page.act(() => deleteCourseDate(browserClient(), id))}
      />
    </RecordPage>
  );
}

function OpenForm({ page: { open, keyOf, finish } }: { page: RecordPageState<Form> }) {
  if (!open) return null;
  const shared = { formKey: keyOf(open.form), onDone: finish };
  if (open.form === "edit") {
    const { opened } = open.edit;
    return (
      <CourseDateForm
        {...shared}
        name={`Change ${inWords(opened)}`}
        label="Save Course"
        busyLabel="Saving..."
        about={opened.id}
        begin={toForm(opened)}
        submit={(form) => saveCourseDate(browserClient(), open.edit, form)}
      />
    );
  }
  if (open.form === "repeat") {
    return (
      <RepeatForm
        {...shared}
        what={inWords(open.row)}
        about={open.row.id}
        submit={(form) => repeatCourseDate(browserClient(), open.row, form)}
      />
    );
  }
  return (
    <CourseDateForm
      {...shared}
      name="New course date"
      label="Add Course"
      busyLabel="Adding..."
      begin={open.begin}
      submit={(form) => addCourseDate(browserClient(), form)}
    />
  );
}
