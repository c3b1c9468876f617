import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { FOREIGN_KEY_VIOLATION, NOT_ENOUGH_PLACES, RESTRICT_VIOLATION } from "../../supabase/sqlstates.ts";
import { parseForm } from "../forms/fields.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { counted } from "../frame/counted.ts";
import { readList } from "../lists/read-list.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { insertOnce } from "../records/insert-once.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { undoDelete } from "../records/undo.ts";
import { courseDateFields, type CourseDate, type ListedDate } from "./fields.ts";
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
  const { error } = await insertOnce(supabase, "course_dates", form, [checked.value]);
  return error ? refused(`Failed to add course: ${error.message}`) : done("Course added successfully!");
}

/** Saves the changed fields of a course date. */
export async function saveCourseDate(supabase: BrowserSupabase, edit: RecordEdit<CourseDate>, form: FormData): Promise<Outcome> {
  const checked = parseForm(courseDateFields, form);
  if (!checked.ok) return checked;
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
  const { error } = await insertOnce(supabase, "course_dates", form, checked.value);
  if (error) return refused(`Failed to add course dates: ${error.message}`);
  return done(`${counted(checked.value.length, "course date")} added.`);
}

/** Deletes a course date unless it has bookings; the database refuses it too if one is added in between. */
export async function deleteCourseDate(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const before = await countBookings(supabase, id);
  if ("message" in before) return refused(`Failed to delete course: ${before.message}`);
  if (before.active + before.cancelled > 0) return hasBookings(id, before);

  const deletion = await supabase.from("course_dates").delete().eq("id", id).select("id");
  const code = deletion.error?.code;
  if (code === FOREIGN_KEY_VIOLATION || code === RESTRICT_VIOLATION) {
    const now = await countBookings(supabase, id);
    if (!("message" in now)) return now.active + now.cancelled > 0 ? hasBookings(id, now) : hasWaitingList(id);
  }
  return deletionOutcome(deletion, "course", "Course deleted successfully!", () => undoDelete(supabase, "course_dates", id));
}

interface BookingCounts {
  active: number;
  cancelled: number;
}

async function countBookings(supabase: BrowserSupabase, courseId: string): Promise<BookingCounts | { message: string }> {
  const { data, error } = await supabase.from("bookings").select("id, status").eq("course_id", courseId);
  if (error) return { message: error.message };
  const active = data.filter(({ status }) => status === "active").length;
  return { active, cancelled: data.length - active };
}

/** Cancelled bookings block the deletion too, since they would be deleted with the date. */
function hasBookings(courseId: string, { active, cancelled }: BookingCounts): Refusal {
  const message =
    active > 0
      ? `Cannot delete this course as it has ${active} active booking(s). Please delete or reassign the bookings first.`
      : `Cannot delete this course as it still has ${counted(cancelled, "cancelled booking")}. Please delete or reassign them first.`;
  return {
    ok: false,
    message,
    next: { to: `${href("/admin/bookings")}?date=${courseId}`, label: "Show its bookings, to move or delete them" },
  };
}

/** Only bookings and the waiting list refer to a course date. */
function hasWaitingList(courseId: string): Refusal {
  const message = "Cannot delete this course as people are on its waiting list. Please book or remove them first.";
  return { ok: false, message, next: { to: `${href("/admin/bookings")}?date=${courseId}`, label: "Show its waiting list" } };
}
