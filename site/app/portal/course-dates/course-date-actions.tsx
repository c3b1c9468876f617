import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate } from "../../time/london-date.ts";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { courseDateForm, type CourseDate, type CourseDateForm } from "./fields.ts";
import { deleteCourseDate } from "./queries.ts";

interface CourseDateActionsProps {
  row: CourseDate;
  page: RecordPageState<CourseDateForm>;
}

/** The actions of a course date, in its row and in its panel. */
export function CourseDateActions({ row, page }: CourseDateActionsProps) {
  const what = inWords(row);
  const copy = (): void => page.begin({ form: "copy", begin: { ...courseDateForm(row), course_date: "", end_date: "", status: "open" } });
  return (
    <RowActions>
      <RowAction label="Edit" what={what} run={() => page.begin({ form: "edit", edit: startEdit(row) })} />
      <RowAction label="Copy" what={what} run={copy} />
      <RowAction label="Repeat" what={what} run={() => page.begin({ form: "repeat", row })} />
      <DeleteButton
        what={what}
        question="Are you sure you want to delete this course?"
        run={() => page.act(() => deleteCourseDate(browserClient(), row.id))}
      />
    </RowActions>
  );
}

/** "Lvl 2 CCTV, Monday 30 November 2026, 09:00" */
export function inWords({ course_name, course_date }: CourseDate): string {
  const { long, time } = londonDate(course_date);
  return `${course_name}, ${long}, ${time}`;
}
