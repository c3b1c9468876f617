import type { CourseName } from "./course-names.ts";

/** The five values of the category switcher. */
export type CategoryId = "security" | "medical" | "refresher" | "health-safety" | "coming-soon";

/** The map-legend colour that marks a category everywhere on the site. */
export type CategoryColour = "tarn" | "bracken" | "moss" | "gorse" | "heather";

/** A group of courses in the catalogue. */
export type Category = {
  id: CategoryId;
  label: string;
  colour: CategoryColour;
};

/** One module of a course's syllabus. */
type SyllabusModule = {
  title: string;
  topics: string[];
};

/** Everything the site says about one course, except its dates. */
export type Course = {
  /** The slug: the last part of the course's URL. */
  id: string;
  courseName: CourseName;
  title: string;
  /** One sentence of at most 160 characters. */
  description: string;
  image: `/images/courses/${string}.svg`;
  link: `/${string}`;
  category: CategoryId;
  /** The whole price in pounds. */
  price: number;
  /** The length as people say it: "8 days", "half day". */
  duration: string;
  /** Number of teaching days, for calendar files and search engines. */
  days: number;
  /** Teaching hours of a course of up to a day; without them the course ends when the office closes. */
  hours?: number;
  level?: string;
  location: string;
  overview: string[];
  syllabus: SyllabusModule[];
  features: string[];
  /** Requirements before the first day. */
  prerequisites: string[];
  bring: string[];
  maxStudents?: number;
  minimumAge?: number;
};

/** A course that is announced and cannot be booked yet. */
export type ComingSoonItem = {
  /** The name of its picture file. */
  id: string;
  title: string;
  duration: string;
  /** The whole price in pounds. */
  price: number;
};

/** A review by a learner. */
export type Review = {
  name: string;
  text: string;
  rating: 5;
  course?: CourseName;
};

/** A member of the team. */
export type TeamMember = {
  id: string;
  name: string;
  role: string;
  description: string;
  image: `/images/team/${string}.svg`;
};

/** A scheme or standard the provider works under, in words for visitors. */
export type Accreditation = {
  title: string;
  text: string;
};

/** The text of the home page's about section. */
export type About = {
  heading: string;
  paragraphs: string[];
};

/** A page of legal text. */
export type LegalPage = {
  title: string;
  /** An ISO date. */
  effective: string;
  /** Markdown, with headings from level two. */
  body: string;
};

/** A day of the week on which the office is open. */
type Weekday = "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";

/** The provider of the courses. */
export type Provider = {
  name: string;
  registeredName: string;
  companyNumber: string;
  vatNumber: string | null;
  /** True while the contact details are invented. */
  sample: boolean;
  /** Formatted for reading. */
  phone: string;
  phoneHref: `tel:+44${string}`;
  mobile?: string;
  mobileHref?: `tel:+44${string}`;
  email: string;
  address: {
    street: string;
    locality: string;
    region: string;
    postalCode: string;
    country: "GB";
  };
  geo?: { latitude: number; longitude: number };
  /** The venue of the courses, shown on course pages. */
  venue: string;
  founded: number;
  openingHours: {
    days: Weekday[];
    opens: string;
    closes: string;
    text: string;
  };
  serviceRadiusKm: number;
  rating: { value: number; count: number };
  payment: string[];
};
