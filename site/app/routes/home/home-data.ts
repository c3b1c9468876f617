import type { CategoryId, ComingSoonItem } from "content/types.ts";
import type { CourseFacts } from "../../course-dates/course-date.ts";
import type { Daylight } from "./hero/daylight.ts";

/** A course as its card in the catalogue shows it. */
export interface CourseCardFacts extends Omit<CourseFacts, "location"> {
  id: string;
  category: CategoryId;
  description: string;
  image: string;
}

/** The first upcoming date of a course: an ISO instant, "Wed 2 Dec 2026" and "in 8 days". */
export interface NextStart {
  instant: string;
  text: string;
  left: string;
}

/** A course that is announced, with its price as text. */
export type ComingSoonFacts = Omit<ComingSoonItem, "price"> & { price: string };

/** The data that hydrate the home page, without what scripts contain (`course-cards.constant.ts`). Numbers are formatted on the server: `Intl` starts slowly on phones. */
export interface HomeData {
  /** The time at which the page was rendered, in milliseconds since 1970. */
  now: number;
  light: Daylight;
  category: CategoryId;
  /** By the id of the course, if it has an upcoming date. */
  nextStarts: Readonly<Record<string, NextStart>>;
  /** The number of reviews and of people in the team. */
  slides: { reviews: number; team: number };
}

const PROPERTY_TYPES = {
  now: "number",
  light: "string",
  category: "string",
  nextStarts: "object",
  slides: "object",
} satisfies Record<keyof HomeData, string>;

/** True if every property of the home page's data is there and has the right kind of value. */
export function isHomeData(data: unknown): data is HomeData {
  if (typeof data !== "object" || data === null) return false;
  const values = new Map<string, unknown>(Object.entries(data));
  return Object.entries(PROPERTY_TYPES).every(([name, type]) => type.includes(typeName(values.get(name))));
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
