import { categories } from "content/categories.ts";
import { courses } from "content/courses/index.ts";
import type { CourseLinks } from "./document.ts";

/** Every course by its category, in the order of the switcher. */
export const courseLinks: readonly CourseLinks[] = categories
  .map(({ id, label }) => ({
    label,
    courses: courses.filter((course) => course.category === id).map(({ title, link }) => ({ title, link })),
  }))
  .filter((group) => group.courses.length > 0);
