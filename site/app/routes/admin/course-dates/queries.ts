import type { BrowserSupabase } from "../../../supabase.client.ts";
import { done, refused, type Loaded, type Outcome } from "../outcome.ts";
import { readAll } from "../read-all.ts";
import { checkCourseDate, type CourseDate } from "./schema.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/** Every course date, the earliest first. */
export async function listCourseDates(supabase: BrowserSupabase): Promise<Loaded<CourseDate>> {
  try {
    const answer = await readAll((from, to) => supabase.from("course_dates").select("*").order("course_date").order("id").range(from, to));
    if ("message" in answer) return { ok: false, message: `Error fetching course dates: ${answer.message}` };
    return { ok: true, rows: answer.rows };
  } catch (error) {
    reportError(error);
    return { ok: false, message: "Unexpected error fetching course dates. Please try again." };
  }
}

/** Adds the course date of a filled-in form. */
export async function addCourseDate(supabase: BrowserSupabase, form: FormData): Promise<Outcome> {
  const checked = checkCourseDate(form);
  if (!checked.ok) return checked;
  const { error } = await supabase.from("course_dates").insert(checked.value);
  return error ? refused(`Failed to add course: ${error.message}`) : done("Course added successfully!");
}

/** Deletes a course date unless it has bookings; the database refuses that too, should one be made in between. */
export async function deleteCourseDate(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const before = await bookingsOf(supabase, id);
  if ("message" in before) return refused(`Failed to delete course: ${before.message}`);
  if (before.count > 0) return refused(blockedBy(before.count));

  const { data, error } = await supabase.from("course_dates").delete().eq("id", id).select("id");
  if (error?.code === FOREIGN_KEY_VIOLATION) {
    const since = await bookingsOf(supabase, id);
    return refused("message" in since ? `Failed to delete course: ${error.message}` : blockedBy(since.count));
  }
  if (error) return refused(`Failed to delete course: ${error.message}`);
  // Policies hide what may not be deleted instead of refusing it.
  if (data.length === 0) return refused("Failed to delete course: it is no longer there, or this account may not delete it.");
  return done("Course deleted successfully!");
}

async function bookingsOf(supabase: BrowserSupabase, courseId: string): Promise<{ count: number } | { message: string }> {
  const { data, error } = await supabase.from("bookings").select("id").eq("course_id", courseId);
  return error ? { message: error.message } : { count: data.length };
}

function blockedBy(bookings: number): string {
  return `Cannot delete this course as it has ${bookings} active booking(s). Please delete or reassign the bookings first.`;
}
