import { courseNames } from "content/courses/index.ts";
import type { Database } from "../../../../supabase/database.types.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { fromLondonTime, toLondonTime } from "../../time/london-time.ts";
import { refused, type Checked } from "../frame/outcome.ts";

export type CourseDate = Database["public"]["Tables"]["course_dates"]["Row"];

/** A course date with who waits for it. */
export type ListedDate = CourseDate & { waiting_list: readonly { id: string }[] };

/** What the form of a course date asks for. */
export type CourseDateValues = Pick<CourseDate, "course_name" | "course_date" | "end_date" | "capacity" | "description" | "status">;

export const STATUSES = { open: "Open", confirmed: "Confirmed", full: "Full", cancelled: "Cancelled", postponed: "Postponed" };

export const DEFAULT_CAPACITY = 12;
export const LEAST_CAPACITY = 1;
/** What a Postgres integer holds. */
export const MOST_CAPACITY = 2_147_483_647;
export const LONGEST_DESCRIPTION = 2000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Checks a filled-in course date by the rules the database has too, and turns London time into an instant. */
export function checkCourseDate(form: FormData): Checked<CourseDateValues> {
  const courseName = courseNames.find((name) => name === textOf(form, "course_name"));
  if (courseName === undefined) return refused("Choose a course from the list.", "course_name");

  const startDate = textOf(form, "course_date");
  if (startDate === "") return refused("Enter the day and time the course starts.", "course_date");
  const instant = fromLondonTime(startDate);
  if (!instant)
    return refused("There is no such time in Britain: that day is not in the calendar, or the clocks skip that hour.", "course_date");

  const lastDay = textOf(form, "end_date");
  if (lastDay !== "" && !DAY.test(lastDay)) return refused("Enter the last day, or leave the field empty.", "end_date");
  if (lastDay !== "" && lastDay < startDate.slice(0, 10)) return refused("The last day lies before the first.", "end_date");

  const capacityText = textOf(form, "capacity");
  const capacity = Number(capacityText);
  if (capacityText === "" || !Number.isInteger(capacity) || capacity < LEAST_CAPACITY || capacity > MOST_CAPACITY) {
    return refused("Enter the number of places, a whole number of at least 1.", "capacity");
  }

  const description = textOf(form, "description");
  if (lengthOf(description) > LONGEST_DESCRIPTION) {
    return refused(`Shorten the description to ${LONGEST_DESCRIPTION} characters.`, "description");
  }
  const status = form.has("status") ? textOf(form, "status") : "open";
  if (!(status in STATUSES)) return refused("Choose a status.", "status");
  return {
    ok: true,
    value: {
      course_name: courseName,
      course_date: instant.toISOString(),
      end_date: lastDay === "" ? null : lastDay,
      capacity,
      description: description === "" ? null : description,
      status,
    },
  };
}

/** What the form shows of a date. */
export function toForm(row: CourseDate): Record<string, string> {
  return {
    course_name: row.course_name,
    course_date: toLondonTime(new Date(row.course_date)),
    end_date: row.end_date ?? "",
    capacity: String(row.capacity),
    description: row.description ?? "",
    status: row.status,
  };
}

/** What a status is called; itself where it has no name. */
export function labelOfStatus(status: string): string {
  return Object.entries(STATUSES).find(([key]) => key === status)?.[1] ?? status;
}
