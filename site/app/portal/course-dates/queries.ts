import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { saveRecord, type RecordEdit } from "../records/save-record.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { toLondonTime } from "../../time/london-time.ts";
import { readList } from "../lists/read-list.ts";
import { undoDelete } from "../records/undo.ts";
import { checkRepeat } from "./repeat.ts";
import { checkCourseDate, labelOfStatus, type CourseDate, type CourseDateValues, type ListedDate } from "./schema.ts";

/** What refuses a row that others refer to: a foreign key's violation, or since PostgreSQL 18 that of its RESTRICT. */
const STILL_REFERRED_TO = new Set(["23503", "23001"]);
const CAPACITY_TOO_LOW = "PT409";
const LABELS = {
  course_name: "Course Type",
  course_date: "Start Date",
  end_date: "Last Day",
  capacity: "Capacity",
  description: "Description",
  status: "Status",
};

/** Every course date, the earliest first. */
export function listCourseDates(supabase: BrowserSupabase): Promise<Loaded<ListedDate>> {
  return readList("course dates", (from, to) =>
    supabase.from("course_dates").select("*, waiting_list(id)").order("course_date").order("id").range(from, to),
  );
}

/** Adds the course date of a filled-in form. */
export async function addCourseDate(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkCourseDate(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.from("course_dates").insert(checked.value);
  return error ? refused(`Failed to add course: ${error.message}`) : done("Course added successfully!");
}

/** Saves what a filled-in form changed of a date. */
export async function saveCourseDate(supabase: BrowserSupabase, edit: RecordEdit<CourseDate>, form: FormData): Promise<Outcome> {
  const checked = checkCourseDate(form);
  if (!checked.ok) return checked;
  return saveRecord<CourseDateValues, CourseDate>(supabase, edit, asStored(checked.value, edit.opened), {
    table: "course_dates",
    noun: "course",
    labels: LABELS,
    show: (field, row) => {
      if (field === "course_date") return toLondonTime(new Date(row.course_date)).replace("T", " ");
      return field === "status" ? labelOfStatus(row.status) : String(row[field] ?? "empty");
    },
    saved: "Course saved successfully!",
    failed: ({ code, message, details }) =>
      code === CAPACITY_TOO_LOW
        ? refused(`${details} places are booked on this date, so its capacity cannot be lower. Cancel or move bookings first.`, "capacity")
        : refused(`Failed to save course: ${message}`),
  });
}

/** Adds the dates a filled-in repeat asks for, all of them or none. */
export async function repeatCourseDate(supabase: BrowserSupabase, row: CourseDate, form: FormData): Promise<Outcome> {
  const checked = checkRepeat(row, form);
  if (!checked.ok) return checked;
  const { error } = await supabase.from("course_dates").insert(checked.value);
  return error ? refused(`Failed to add courses: ${error.message}`) : done(`${checked.value.length} course(s) added successfully!`);
}

/** Deletes a course date unless it has bookings; the database refuses that too, should one be made in between. */
export async function deleteCourseDate(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const before = await bookingsOf(supabase, id);
  if ("message" in before) return refused(`Failed to delete course: ${before.message}`);
  if (before.active + before.cancelled > 0) return blockedBy(id, before);

  const deletion = await supabase.from("course_dates").delete().eq("id", id).select("id");
  if (deletion.error && STILL_REFERRED_TO.has(deletion.error.code)) {
    const since = await bookingsOf(supabase, id);
    if (!("message" in since)) return since.active + since.cancelled > 0 ? blockedBy(id, since) : waitedFor(id);
  }
  return deletionOutcome(deletion, "course", "Course deleted successfully!", () => undoDelete(supabase, "course_dates", id));
}

/** The same instant in the words of the database, so that a start that was not touched is no change. */
function asStored(values: CourseDateValues, { course_date }: CourseDate): CourseDateValues {
  return Date.parse(values.course_date) === Date.parse(course_date) ? { ...values, course_date } : values;
}

interface BookingCounts {
  active: number;
  cancelled: number;
}

async function bookingsOf(supabase: BrowserSupabase, courseId: string): Promise<BookingCounts | { message: string }> {
  const { data, error } = await supabase.from("bookings").select("id, status").eq("course_id", courseId);
  if (error) return { message: error.message };
  const active = data.filter(({ status }) => status === "active").length;
  return { active, cancelled: data.length - active };
}

/** Cancelled bookings hold a date too, since their record would go with it; they do not count as active. */
function blockedBy(courseId: string, { active, cancelled }: BookingCounts): Refusal {
  const message =
    active > 0
      ? `Cannot delete this course as it has ${active} active booking(s). Please delete or reassign the bookings first.`
      : `Cannot delete this course as it still has the record of ${cancelled} cancelled booking(s). Please delete or reassign them first.`;
  return { ok: false, message, next: { to: `/admin/bookings?date=${courseId}`, label: "Show its bookings, to move or delete them" } };
}

/** Nothing but bookings and the waiting list refers to a date. */
function waitedFor(courseId: string): Refusal {
  const message = "Cannot delete this course as people are on its waiting list. Please book or withdraw them first.";
  return { ok: false, message, next: { to: `/admin/bookings?date=${courseId}`, label: "Show its waiting list" } };
}
