import { useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Checking } from "../checking.tsx";
import { forgetDraft, readDraft, type Draft } from "../draft.ts";
import { editing, type Editing } from "../edit.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { portalMeta } from "../portal-meta.ts";
import { requireSession } from "../session.ts";
import { useSettled } from "../settled.ts";
import { CourseDateForm } from "./course-date-form.tsx";
import { CourseDateList, inWords } from "./course-date-list.tsx";
import { addCourseDate, deleteCourseDate, listCourseDates, repeatCourseDate, saveCourseDate } from "./queries.ts";
import { RepeatForm } from "./repeat-form.tsx";
import { toForm, type CourseDate } from "./schema.ts";
import styles from "./course-dates.module.css";
import type { Route } from "./+types/course-dates";

const TITLE = "Course Management";

export const handle = { client: "portal" };

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader() {
  const { user } = await requireSession();
  return { userId: user.id, email: user.email, now: Date.now(), dates: listCourseDates(browserClient()) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <Checking title={TITLE} />;
}

/** What is open above the list. */
type Open = { form: "add"; begin?: Draft } | { form: "edit"; edit: Editing<CourseDate> } | { form: "repeat"; row: CourseDate };

/** Every course date, with a form to add one, and to change, copy, repeat or delete each. */
export default function CourseDates({ loaderData }: Route.ComponentProps) {
  const { userId, email, now, dates } = loaderData;
  const addDraft = { userId, form: "course-date" };
  const editDraft = { userId, form: "course-date-edit" };
  const [open, setOpen] = useState<Open | null>(() => (readDraft(sessionStorage, addDraft) ? { form: "add" } : null));
  const [unfinished, setUnfinished] = useState(() => readDraft(sessionStorage, editDraft)?.["id"]);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const { revalidate } = useRevalidator();
  const loaded = useSettled(dates);

  // An edit that a sign-out cut off goes on where it was.
  const resumed = unfinished !== undefined && loaded?.ok ? loaded.rows.find(({ id }) => id === unfinished) : undefined;
  if (resumed && !open) {
    setUnfinished(undefined);
    setOpen({ form: "edit", edit: editing(resumed) });
  }

  function begin(next: Open | null): void {
    forgetDraft(sessionStorage, editDraft);
    setNotice(null);
    setOpen(next);
  }

  function copy(row: CourseDate): void {
    forgetDraft(sessionStorage, addDraft);
    begin({ form: "add", begin: { ...toForm(row), status: "open" } });
  }

  async function remove(id: string): Promise<Outcome> {
    setNotice(null);
    return deleteCourseDate(browserClient(), id);
  }

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    show(outcome);
  }

  return (
    <PageFrame
      title={TITLE}
      email={email}
      back
      notice={notice}
      action={
        <Button
          look={open ? "plain" : "primary"}
          aria-expanded={open !== null}
          aria-controls="add"
          onClick={() => begin(open ? null : { form: "add" })}
        >
          {open ? "Cancel" : "Add Course"}
        </Button>
      }
    >
      <div id="add" className={styles.add} hidden={!open}>
        {open?.form === "add" && (
          <CourseDateForm
            key={open.begin?.["course_date"]}
            name="New course date"
            label="Add Course"
            busyLabel="Adding..."
            draft={addDraft}
            begin={open.begin}
            submit={(form) => addCourseDate(browserClient(), form)}
            onDone={finish}
          />
        )}
        {open?.form === "edit" && (
          <CourseDateForm
            key={open.edit.opened.id}
            name={`Change ${inWords(open.edit.opened)}`}
            label="Save Course"
            busyLabel="Saving..."
            draft={editDraft}
            begin={{ ...toForm(open.edit.opened), id: open.edit.opened.id }}
            submit={(form) => saveCourseDate(browserClient(), open.edit, form)}
            onDone={finish}
          />
        )}
        {open?.form === "repeat" && (
          <RepeatForm
            key={open.row.id}
            what={inWords(open.row)}
            submit={(form) => repeatCourseDate(browserClient(), open.row, form)}
            onDone={finish}
          />
        )}
      </div>
      <CourseDateList
        now={now}
        dates={dates}
        edit={(row) => begin({ form: "edit", edit: editing(row) })}
        copy={copy}
        repeat={(row) => begin({ form: "repeat", row })}
        remove={remove}
        onOutcome={show}
      />
    </PageFrame>
  );
}
