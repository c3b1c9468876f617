import { courseNames } from "content/course-names.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { SET_STATUSES } from "../bookable-dates/course-date-status.ts";
import { choice, formValues, optionalText, wholeNumber, type ValuesOf } from "../forms/fields.ts";
import type { FormValues } from "../forms/unsaved-form.ts";
import type { RecordEdit } from "../records/save-record.ts";
import { textOf } from "../forms/form-text.ts";
import { londonTime, optionalDay, optionalId } from "./date-fields.ts";

/** The name of the control of the time a course starts. */
export const START_TIME = "start_time";
export const USUAL_START = "09:00";

/** The fields of a course date that staff edit. A new column needs a line here; form, validation, panel, CSV and repetition follow. */
export const courseDateFields = {
  course_name: choice({
    label: "Course type",
    options: Object.fromEntries(courseNames.map((name) => [name, name])),
    empty: "Choose a course…",
    error: "Choose a course from the list.",
  }),
  course_date: londonTime({
    time: START_TIME,
    label: "Start date",
    error: "Enter the day and the time the course starts.",
  }),
  end_date: optionalDay({
    label: "Last day",
    error: "Enter the last day, or leave the field empty.",
    rule: (day, form) => (day < textOf(form, "course_date").slice(0, 10) ? "The last day is before the first." : null),
  }),
  capacity: wholeNumber({
    label: "Capacity",
    min: 1,
    // The largest integer of Postgres.
    max: 2_147_483_647,
    initial: "12",
    error: "Enter the number of places, a whole number of at least 1.",
  }),
  trainer_id: optionalId({ label: "Trainer", hint: "Sees the register of this date.", error: "Choose a trainer from the list." }),
  status: choice({ label: "Status", options: SET_STATUSES, initial: "open", error: "Choose a status." }),
  description: optionalText({ label: "Description", max: 2000, rows: 4 }),
};

export type CourseDateValues = ValuesOf<typeof courseDateFields>;

export type CourseDate = Database["public"]["Tables"]["course_dates"]["Row"];

/** The forms of the page other than that of a new course date. */
export type CourseDateForm =
  | { form: "edit"; edit: RecordEdit<CourseDate> }
  | { form: "copy"; begin: FormValues }
  | { form: "repeat"; row: CourseDate };

/** The values of the form of a row: its day and its time have a control each. */
export function courseDateForm(row: CourseDateValues): FormValues {
  const { course_date = "", ...values } = formValues(courseDateFields, row);
  const [day = "", time = ""] = course_date.split("T");
  return { ...values, course_date: day, [START_TIME]: time };
}

/** A course date with the entries of its waiting list and its trainer in words. */
export type ListedDate = CourseDate & { waiting_list: readonly { id: string }[]; trainer: string | null };
