import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { FOREIGN_KEY_VIOLATION, NOT_ENOUGH_PLACES, RESTRICT_VIOLATION } from "../../supabase/sqlstates.ts";
import { parseForm } from "../forms/fields.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { counted } from "../frame/counted.ts";
import { readList } from "../lists/read-list.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { firstIdOf, insertOnce } from "../records/insert-once.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { courseDateFields, type CourseDate, type ListedDate } from "./fields.ts";
import { questionOddDates, startsOf } from "./odd-dates.ts";
import { repeatedDates } from "./repeat.ts";

/** Lists every course date, the earliest first. */
export function listCourseDates(supabase: BrowserSupabase): Promise<Loaded<ListedDate>> {
  return readList("course dates", (from, to) =>
    supabase.from("course_dates").select("*, waiting_list(id)").order("course_date").order("id").range(from, to),
  );
}

/** Adds the course date of a form. */
export async function addCourseDate(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = parseForm(courseDateFields, form);
  if (!checked.ok) return checked;
  const odd = await questionOddDates(supabase, form, [checked.value], "Add anyway", firstIdOf(form));
  if (odd) return odd;
  const { error } = await insertOnce(supabase, "course_dates", form, [checked.value]);
  return error ? refused(`Failed to add course: ${error.message}`) : { ...done("Course added successfully!"), record: firstIdOf(form) };
}

/** Saves the changed fields of a course date. */
export async function saveCourseDate(supabase: BrowserSupabase, edit: RecordEdit<CourseDate>, form: FormData): Promise<Outcome> {
  const checked = parseForm(courseDateFields, form);
  if (!checked.ok) return checked;
  const { id, course_date, course_name } = edit.opened;
  const isMoved = Date.parse(checked.value.course_date) !== Date.parse(course_date) || checked.value.course_name !== course_name;
  const odd = isMoved && (await questionOddDates(supabase, form, [checked.value], "Save anyway", id));
  if (odd) return odd;
  return saveRecord(supabase, edit, checked.value, {
    table: "course_dates",
    noun: "course date",
    fields: courseDateFields,
    saved: "Course date saved.",
    failed: ({ code, message, details }) =>
      code === NOT_ENOUGH_PLACES
        ? refused(`${details} places are booked on this date, so its capacity cannot be lower. Cancel or move bookings first.`, "capacity")
        : refused(`Failed to save course date: ${message}`),
  });
}

/** Adds the dates of a repeat form, all of them or none. */
export async function repeatCourseDate(supabase: BrowserSupabase, row: CourseDate, form: FormData): Promise<Outcome> {
  const checked = repeatedDates(row, form);
  if (!checked.ok) return checked;
  const odd = await questionOddDates(supabase, form, checked.value, "Add anyway", firstIdOf(form));
  if (odd) return odd;
  const { error } = await insertOnce(supabase, "course_dates", form, checked.value);
  if (error) return refused(`Failed to add course dates: ${error.message}`);
  return {
    ...done(`${counted(checked.value.length, "course date")} added: ${startsOf(checked.value).join(", ")}.`),
    record: firstIdOf(form),
  };
}

/** Deletes a course date; the database refuses it while bookings or the waiting list refer to it. */
export async function deleteCourseDate(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("course_dates").delete().eq("id", id).select("id");
  const code = deletion.error?.code;
  if (code === FOREIGN_KEY_VIOLATION || code === RESTRICT_VIOLATION) {
    const { data } = await supabase.from("bookings").select("id, status").eq("course_id", id);
    if (data) return inUse(id, data.filter(({ status }) => status === "active").length, data.length);
  }
  return deletionOutcome(deletion, "course", "Course deleted successfully!", { supabase, kind: "course_dates", id });
}

/** Cancelled bookings block the deletion too, since they would be deleted with the date. */
function inUse(id: string, active: number, bookings: number): Refusal {
  const to = `${href("/admin/bookings")}?date=${id}`;
  if (bookings === 0) {
    const message = "Cannot delete this course as people are on its waiting list. Please book or remove them first.";
    return { ok: false, message, next: { to, label: "Show its waiting list" } };
  }
  const message =
    active > 0
      ? `Cannot delete this course as it has ${active} active booking(s). Please delete or reassign the bookings first.`
      : `Cannot delete this course as it still has ${counted(bookings, "cancelled booking")}. Please delete or reassign them first.`;
  return { ok: false, message, next: { to, label: "Show its bookings, to move or delete them" } };
}
