import { useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Checking } from "../checking.tsx";
import { readDraft } from "../draft.ts";
import type { Outcome } from "../outcome.ts";
import { PageFrame } from "../page-frame.tsx";
import { portalMeta } from "../portal-meta.ts";
import { requireSession } from "../session.ts";
import { AddCourseDate } from "./add-course-date.tsx";
import { CourseDateList } from "./course-date-list.tsx";
import { addCourseDate, deleteCourseDate, listCourseDates } from "./queries.ts";
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

/** Every course date, with a form to add one and a Delete for each. */
export default function CourseDates({ loaderData }: Route.ComponentProps) {
  const { userId, email, now, dates } = loaderData;
  const draft = { userId, form: "course-date" };
  const [adding, setAdding] = useState(() => readDraft(sessionStorage, draft) !== null);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const { revalidate } = useRevalidator();

  function toggle(): void {
    setNotice(null);
    setAdding(!adding);
  }

  async function remove(id: string): Promise<Outcome> {
    setNotice(null);
    return deleteCourseDate(browserClient(), id);
  }

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  return (
    <PageFrame
      title={TITLE}
      email={email}
      back
      notice={notice}
      action={
        <Button look={adding ? "plain" : "primary"} aria-expanded={adding} aria-controls="add" onClick={toggle}>
          {adding ? "Cancel" : "Add Course"}
        </Button>
      }
    >
      <div id="add" className={styles.add} hidden={!adding}>
        {adding && (
          <AddCourseDate
            draft={draft}
            submit={(form) => addCourseDate(browserClient(), form)}
            onDone={(outcome) => {
              setAdding(false);
              show(outcome);
            }}
          />
        )}
      </div>
      <CourseDateList now={now} dates={dates} remove={remove} onOutcome={show} />
    </PageFrame>
  );
}
