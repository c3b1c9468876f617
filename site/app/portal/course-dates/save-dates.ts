import * as SQLSTATE from "backend/sqlstates.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { parseForm } from "../forms/fields.ts";
import { counted } from "../frame/counted.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import { accountInWords, type StaffAccount } from "../lists/people.ts";
import { firstIdOf, insertOnce } from "../records/insert-once.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { courseDateFields, type CourseDate } from "./fields.ts";
import { questionOddDates, startsOf } from "./odd-dates.ts";
import { repeatedDates } from "./repeat.ts";

/** Adds the course date of a form. */
export async function addCourseDate(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = parseForm(courseDateFields, form);
  if (!checked.ok) return checked;
  const odd = await questionOddDates(supabase, form, [checked.value], { confirm: "Add anyway", ownId: firstIdOf(form) });
  if (odd) return odd;
  const { error } = await insertOnce(supabase, "course_dates", form, [checked.value]);
  return error ? refused(`Failed to add course: ${error.message}`) : { ...done("Course added successfully!"), record: firstIdOf(form) };
}

/** Saves the changed fields of a course date; `people` name the trainers. */
export async function saveCourseDate(
  supabase: BrowserSupabase,
  edit: RecordEdit<CourseDate>,
  form: FormData,
  people: readonly StaffAccount[] = [],
): Promise<Outcome> {
  const checked = parseForm(courseDateFields, form);
  if (!checked.ok) return checked;
  const { id, course_date, course_name, end_date, trainer_id } = edit.opened;
  const { value } = checked;
  const isMoved = Date.parse(value.course_date) !== Date.parse(course_date) || value.course_name !== course_name;
  const isChanged = isMoved || value.end_date !== end_date || value.trainer_id !== trainer_id;
  const odd = isChanged && (await questionOddDates(supabase, form, [value], { confirm: "Save anyway", ownId: id, isMoved }));
  if (odd) return odd;
  return saveRecord(supabase, edit, value, {
    table: "course_dates",
    noun: "course date",
    fields: courseDateFields,
    show: (field, row) => (field === "trainer_id" ? (accountInWords(people, row.trainer_id) ?? "nobody") : undefined),
    saved: "Course date saved.",
    failed: ({ code, message, details }) =>
      code === SQLSTATE.conflict
        ? refused(
            `${counted(Number(details), "place is", "places are")} booked or held on this date, so its capacity cannot be lower. Cancel or move bookings first.`,
            "capacity",
          )
        : refused(`Failed to save course date: ${message}`),
  });
}

/** Adds the dates of a repeat form, all of them or none. */
export async function repeatCourseDate(supabase: BrowserSupabase, row: CourseDate, form: FormData): Promise<Outcome> {
  const checked = repeatedDates(row, form);
  if (!checked.ok) return checked;
  const odd = await questionOddDates(supabase, form, checked.value, { confirm: "Add anyway", ownId: firstIdOf(form) });
  if (odd) return odd;
  const { error } = await insertOnce(supabase, "course_dates", form, checked.value);
  if (error) return refused(`Failed to add course dates: ${error.message}`);
  return {
    ...done(`${counted(checked.value.length, "course date")} added: ${startsOf(checked.value).join(", ")}.`),
    record: firstIdOf(form),
  };
}
