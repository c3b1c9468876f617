import type { Course } from "content/types.ts";
import { courseFacts, type CourseDate, type CourseFacts } from "../../course-dates/course-date.ts";

/** A course as the list and the comparison show it. */
export interface ListedCourse extends CourseFacts {
  id: string;
  description: string;
  image: string;
  level: string | undefined;
  prerequisites: readonly string[];
  group: string | undefined;
  features: readonly string[];
  next: CourseDate | undefined;
}

/** Selects and formats the facts of a course with its next date. */
export function listedCourse(course: Course, next: CourseDate | undefined): ListedCourse {
  const { id, description, image, level, prerequisites, features, maxStudents } = course;
  const group = maxStudents === undefined ? undefined : `At most ${maxStudents} learners`;
  return { ...courseFacts(course), id, description, image, level, prerequisites, group, features, next };
}
