import type { CourseDate, ListedDate } from "../../app/portal/course-dates/fields.ts";
import { listCourseDates } from "../../app/portal/course-dates/queries.ts";
import type { StaffProject } from "../support/staff-project.ts";
import { rowOf } from "./portal-fixture.ts";

/** The form of a new course date, filled in. */
export const NEW_DATE = { course_name: "Lvl 2 CCTV", course_date: "2030-07-08T09:00", capacity: "12" };

/** Adds a course date; returns its row. */
export async function storedDate(project: StaffProject, values: object = {}): Promise<CourseDate> {
  return rowOf(project, "course_dates", await project.addDate(values));
}

/** Lists the course dates as the portal does. */
export async function listedDates({ staff }: StaffProject): Promise<readonly ListedDate[]> {
  const answer = await listCourseDates(staff);
  if (!answer.ok) throw new Error(answer.message);
  return answer.rows;
}
