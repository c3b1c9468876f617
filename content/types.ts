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

/** The names a course date may carry; the admin select offers exactly these. */
export type CourseName =
  | "Lvl 2 Door Supervisor"
  | "Lvl 2 Security Officer"
  | "Lvl 2 CCTV"
  | "Lvl 3 Close Protection"
  | "Door Supervisor Refresher Course"
  | "Security Officer Refresher Course"
  | "Emergency First Aid"
  | "Emergency First Aid Work Level 3"
  | "First Aid at Work"
  | "First Aid at Work Level 3"
  | "Annual First Aid Refresher Course"
  | "Health & Safety in Workplace Level 1"
  | "Manual Handling"
  | "Safeguarding Awareness Training Level 1"
  | "Safeguarding Lead Training Level 3";

/** One step of a course's route. */
export type SyllabusModule = {
  title: string;
  topics: string[];
};

/** Everything the site says about one course, except its dates. */
export type Course = {
  /** The slug, which is also the last part of the link. */
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
  /** How many calendar days the course runs, for calendars. */
  days: number;
  level?: string;
  location: string;
  overview: string[];
  syllabus: SyllabusModule[];
  features: string[];
  /** What a learner needs before the first day. */
  prerequisites: string[];
  bring: string[];
  maxStudents?: number;
  minimumAge?: number;
};

/** A course that is announced and cannot be booked yet. */
export type ComingSoonItem = {
  title: string;
  duration: string;
  /** The whole price in pounds. */
  price: number;
};

/** What a learner said afterwards. */
export type Review = {
  name: string;
  text: string;
  rating: 5;
  course?: CourseName;
};

/** Someone a learner will meet. */
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
  slug: string;
  /** An ISO date. */
  effective: string;
  /** Markdown, with headings from level two. */
  body: string;
};

/** A day of the week on which the office is open. */
export type Weekday = "Monday" | "Tuesday" | "Wednesday" | "Thursday" | "Friday" | "Saturday" | "Sunday";

/** Who teaches: the one record to replace when the site changes hands. */
export type Provider = {
  name: string;
  registeredName: string;
  companyNumber: string;
  vatNumber: string | null;
  /** True while the people, reviews and contact details are invented. */
  sample: boolean;
  /** As people read it. */
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
  /** Where courses run, as a course page shows it. */
  venue: string;
  /** A year. */
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
