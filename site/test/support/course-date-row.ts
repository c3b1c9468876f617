import { courseDateFields, START_TIME, USUAL_START, type CourseDate } from "../../app/portal/course-dates/fields.ts";
import { parseForm } from "../../app/portal/forms/fields.ts";

/** Returns a row of `course_dates` as the portal's form adds it with the required fields only; `values` replace some columns. */
export function courseDateRow(values: Partial<CourseDate>): CourseDate {
  const form = new FormData();
  form.set("course_name", "Lvl 2 CCTV");
  form.set("course_date", "2027-01-05");
  form.set(START_TIME, USUAL_START);
  const added = parseForm(courseDateFields, form);
  if (!added.ok) throw new Error(added.message);
  return {
    ...added.value,
    id: "3a0b1c52-6a0e-4d2b-9f0b-5a1f7c0e8d11",
    places_taken: 0,
    places_left: 12,
    created_at: "2026-11-01T09:00:00Z",
    updated_at: "2026-11-01T09:00:00Z",
    ...values,
  };
}
