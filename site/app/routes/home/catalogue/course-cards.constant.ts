import { comingSoon } from "content/coming-soon.ts";
import { courses } from "content/courses/index.ts";
import { courseFacts } from "../../../course-dates/course-date.ts";
import { pounds } from "../../../course-dates/money.ts";
import { noBreak } from "../../../ui/no-break.ts";
import type { ComingSoonFacts, CourseCardFacts } from "../home-data.ts";

/** The courses of the catalogue. */
export const courseCards: readonly CourseCardFacts[] = courses.map((course) => {
  const { id, category, description, image } = course;
  const { title, link, price, duration, colour } = courseFacts(course);
  return { title, link, price, duration, colour, id, category, description: noBreak(description), image };
});

/** The courses that are announced. */
export const comingSoonCards: readonly ComingSoonFacts[] = comingSoon.map(({ id, title, duration, price }) => ({
  id,
  title,
  duration,
  price: pounds(price),
}));
