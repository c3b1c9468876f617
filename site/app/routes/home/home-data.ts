import type { CategoryId } from "content/types.ts";
import type { CourseFacts, Departure } from "../../departure.ts";
import type { LondonDate } from "../../london-date.ts";
import type { Daylight } from "./daylight.ts";

/** A course as the catalogue's card shows it. */
export interface CourseCardFacts extends CourseFacts {
  id: string;
  category: CategoryId;
  description: string;
  image: string;
  /** The first date on the board, if it has one. */
  next: LondonDate | null;
}

/** What the home page is made from, on the server and again in the browser. */
export interface HomeData {
  siteUrl: string;
  /** The third-party form to embed, where one is set. */
  enquiryFormUrl: string | null;
  /** When the page was made, in milliseconds since 1970. */
  now: number;
  light: Daylight;
  category: CategoryId;
  departures: readonly Departure[];
  courses: readonly CourseCardFacts[];
}
