import { courseNames } from "content/courses/index.ts";
import type { Database } from "../../../../../supabase/database.types.ts";
import { lengthOf, textOf } from "../form-text.ts";
import { fromLondonTime } from "../london-time.ts";
import { refused, type Checked } from "../outcome.ts";

export type CourseDate = Database["public"]["Tables"]["course_dates"]["Row"];
export type NewCourseDate = Database["public"]["Tables"]["course_dates"]["Insert"];

export const DEFAULT_CAPACITY = 12;
export const LEAST_CAPACITY = 1;
/** What a Postgres integer holds. */
export const MOST_CAPACITY = 2_147_483_647;
export const LONGEST_DESCRIPTION = 2000;

/** Checks a filled-in course date by the rules the database has too, and turns London time into an instant. */
export function checkCourseDate(form: FormData): Checked<NewCourseDate> {
  const courseName = courseNames.find((name) => name === textOf(form, "course_name"));
  if (courseName === undefined) return refused("Choose a course from the list.", "course_name");

  const startDate = textOf(form, "course_date");
  if (startDate === "") return refused("Enter the day and time the course starts.", "course_date");
  const instant = fromLondonTime(startDate);
  if (!instant)
    return refused("There is no such time in Britain: that day is not in the calendar, or the clocks skip that hour.", "course_date");

  const capacityText = textOf(form, "capacity");
  const capacity = Number(capacityText);
  if (capacityText === "" || !Number.isInteger(capacity) || capacity < LEAST_CAPACITY || capacity > MOST_CAPACITY) {
    return refused("Enter the number of places, a whole number of at least 1.", "capacity");
  }

  const description = textOf(form, "description");
  if (lengthOf(description) > LONGEST_DESCRIPTION) {
    return refused(`Shorten the description to ${LONGEST_DESCRIPTION} characters.`, "description");
  }
  return {
    ok: true,
    value: { course_name: courseName, course_date: instant.toISOString(), capacity, description: description === "" ? null : description },
  };
}
