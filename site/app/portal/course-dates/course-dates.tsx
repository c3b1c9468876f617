import { Suspense } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { subject } from "../forms/form-text.ts";
import { lazyPart } from "../frame/lazy-part.tsx";
import { rowOf, type Loaded } from "../frame/outcome.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import type { EditedRecord } from "../records/edited-by.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { startEdit } from "../records/save-record.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { CourseDateList } from "./course-date-list.tsx";
import type { CourseDateForm, ListedDate } from "./fields.ts";
import { listCourseDates } from "./queries.ts";
import { useOpenRecord } from "../lists/open-record/open-record.ts";
import { listPeople } from "../lists/people.ts";
import { loadedBy } from "../lists/use-filters.ts";
import type { Route } from "./+types/course-dates";

// Lazy: it contains the catalogue of courses, whose hours may clash.
const OpenForm = lazyPart(() => import("./open-form.tsx"));

// Lazy: most visits open no record.
const CourseDatePanel = lazyPart(() => import("./course-date-panel.tsx"));

export const shouldRevalidate = loadedBy();

export async function clientLoader() {
  const people = listPeople(browserClient());
  return { people, dates: listCourseDates(browserClient(), people) };
}

/** The course dates, with forms to add, change and repeat them. */
export default function CourseDates({ loaderData: { dates, people } }: Route.ComponentProps) {
  const page = useRecordPage<CourseDateForm>({
    area: "course-date",
    requests: ["new"],
    async reopen(form, id) {
      if (form === "copy") return { form, begin: {} };
      const row = await rowOf(dates, id);
      if (!row) return null;
      return form === "repeat" ? { form, row } : { form: "edit", edit: startEdit(row) };
    },
    inWords: ({ course_name = "" }, form) => subject(form === "repeat" ? "repeated course date" : "course date", course_name),
  });
  const opened = useOpenRecord(dates, page.removed, notListed);
  useFollowChanges(["course_dates", "waiting_list"], { isPaused: page.isPaused });
  return (
    <RecordPage
      page={page}
      addLabel="Add course date"
      form={
        page.open && (
          <Suspense>
            <OpenForm page={page} people={people} />
          </Suspense>
        )
      }
      edited={editedIn(page)}
      panel={opened && <CourseDatePanel open={opened} page={page} />}
    >
      <CourseDateList dates={dates} page={page} />
    </RecordPage>
  );
}

/** The list has every course date. */
function notListed(): Promise<Loaded<ListedDate>> {
  return Promise.resolve({ ok: true, rows: [] });
}

function editedIn({ open }: RecordPageState<CourseDateForm>): EditedRecord | undefined {
  return open?.form === "edit" ? { table: "course_dates", id: open.edit.opened.id, noun: "course date" } : undefined;
}
