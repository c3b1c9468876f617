import type { CategoryId, ComingSoonItem } from "content/types.ts";
import type { CourseFacts, Departure } from "../../course-dates/course-date.ts";
import type { LondonDate } from "../../time/london-date.ts";
import type { Daylight } from "./hero/daylight.ts";

/** A course as the catalogue's card shows it. */
export interface CourseCardFacts extends CourseFacts {
  id: string;
  category: CategoryId;
  description: string;
  image: string;
  /** The first date on the board, if it has one. */
  next: LondonDate | null;
}

/** A course on its way, its price in words. */
export type ComingSoonFacts = Omit<ComingSoonItem, "price"> & { price: string };

/** What the legend of the about section says in words. */
export interface AboutFacts {
  prices: string;
  payment: string;
}

/** What the home page is made from, on the server and again in the browser; numbers come as words, because making `Intl` ready takes a phone long. */
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
  comingSoon: readonly ComingSoonFacts[];
  about: AboutFacts;
}
