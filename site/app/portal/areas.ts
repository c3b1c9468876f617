/** One subject of the portal, declared once: its route, the navigation and the dashboard derive from it. Its icon in `public/shapes/portal.svg` has the last part of its path as its id. */
export interface Area {
  to: `/admin/${string}`;
  /** The file of its page, from `site/app`. */
  page: `portal/${string}.tsx`;
  /** Name in the navigation. */
  short: string;
  /** Name and text on the dashboard. */
  title: string;
  text: string;
  /** True for an area about accounts and records, at the end of the navigation. */
  account?: true;
}

export const areas: readonly Area[] = [
  {
    to: "/admin/calendar",
    page: "portal/calendar/calendar.tsx",
    short: "Calendar",
    title: "Calendar",
    text: "See what runs when, and move a course date to another day.",
  },
  {
    to: "/admin/bookings",
    page: "portal/bookings/bookings.tsx",
    short: "Bookings",
    title: "Bookings",
    text: "Take a booking, move people to another date, print a register.",
  },
  {
    to: "/admin/enquiries",
    page: "portal/enquiries/enquiries.tsx",
    short: "Enquiries",
    title: "Enquiries",
    text: "Answer questions from visitors and turn them into bookings.",
  },
  {
    to: "/admin/letters",
    page: "portal/letters/letters.tsx",
    short: "Letters",
    title: "Letters",
    text: "See what was written to learners, and change the templates.",
  },
  {
    to: "/admin/courses",
    page: "portal/course-dates/course-dates.tsx",
    short: "Courses",
    title: "Course Management",
    text: "Add, change and cancel course dates.",
  },
  {
    to: "/admin/blog",
    page: "portal/blog/blog.tsx",
    short: "Blog",
    title: "Blog Management",
    text: "Write, schedule, change and take down posts.",
  },
  {
    to: "/admin/statistics",
    page: "portal/statistics/statistics.tsx",
    short: "Statistics",
    title: "Statistics",
    text: "See how many people visit the website, and what they read.",
  },
  {
    to: "/admin/staff",
    page: "portal/staff/staff.tsx",
    short: "Staff",
    title: "Staff",
    text: "Invite a colleague, reset a password, disable an account.",
    account: true,
  },
  {
    to: "/admin/settings",
    page: "portal/settings/settings.tsx",
    short: "Settings",
    title: "Settings",
    text: "Hold places for requests, and export all records.",
    account: true,
  },
  {
    to: "/admin/changes",
    page: "portal/changes/changes.tsx",
    short: "History",
    title: "History",
    text: "See who changed what, and restore what was deleted.",
    account: true,
  },
];

/** The title of the area at a path, or else of the portal. */
export function areaTitle(path: string): string {
  return areas.find(({ to }) => to === path)?.title ?? "Staff portal";
}
