import { courses } from "content/courses/index.ts";
import { pounds } from "../../course-dates/money.ts";

/** A course that a post mentions. */
export interface RelatedCourse {
  title: string;
  link: string;
  /** "8 days, £400" */
  facts: string;
}

const MOST_RELATED = 3;

/** The courses whose titles occur in a text. Longer titles match first: "First Aid at Work Level 3" does not mention "First Aid at Work". */
export function relatedCourses(text: string): RelatedCourse[] {
  let words = text.toLowerCase();
  return courses
    .toSorted((one, other) => other.title.length - one.title.length)
    .filter(({ title }) => {
      const before = words;
      words = words.replaceAll(title.toLowerCase(), "");
      return words !== before;
    })
    .slice(0, MOST_RELATED)
    .map(({ title, link, duration, price }) => ({ title, link, facts: `${duration}, ${pounds(price)}` }));
}
