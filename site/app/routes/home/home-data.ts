import type { CategoryId, ComingSoonItem } from "content/types.ts";
import type { CourseDate, CourseFacts } from "../../course-dates/course-date.ts";
import type { LondonDate } from "../../time/london-date.ts";
import type { Daylight } from "./hero/daylight.ts";

/** A course as its card in the catalogue shows it. */
export interface CourseCardFacts extends CourseFacts {
  id: string;
  category: CategoryId;
  description: string;
  image: string;
  /** The first upcoming date, if there is one. */
  next: LondonDate | null;
}

/** A course that is announced, with its price as text. */
export type ComingSoonFacts = Omit<ComingSoonItem, "price"> & { price: string };

/** The facts of the about section as text. */
export interface AboutFacts {
  prices: string;
  payment: string;
}

/** The data of the home page, for the server and for hydration. Numbers are formatted on the server: `Intl` starts slowly on phones. */
export interface HomeData {
  siteUrl: string;
  /** The third-party form to embed, if one is configured. */
  enquiryFormUrl: string | null;
  /** When the page was rendered, in milliseconds since 1970. */
  now: number;
  light: Daylight;
  category: CategoryId;
  upcoming: readonly CourseDate[];
  courses: readonly CourseCardFacts[];
  comingSoon: readonly ComingSoonFacts[];
  about: AboutFacts;
}

const PROPERTY_TYPES = {
  siteUrl: "string",
  enquiryFormUrl: "string or null",
  now: "number",
  light: "string",
  category: "string",
  upcoming: "array",
  courses: "array",
  comingSoon: "array",
  about: "object",
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
