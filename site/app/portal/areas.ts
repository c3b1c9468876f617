/** One subject of the portal, declared once: its route, the navigation and the dashboard derive from it. */
export interface Area {
  to: `/admin/${string}`;
  /** The name of its folder and of its page in it, if it is not the last part of `to`. */
  folder?: string;
  /** Name in the navigation. */
  short: string;
  /** Name and text on the dashboard. */
  title: string;
  text: string;
  /** True for an area about accounts and records, at the end of the navigation. */
  account?: true;
}

const declared = [
  {
    to: "/admin/calendar",
    short: "Calendar",
    title: "Calendar",
    text: "See what runs when, and move a course date to another day.",
  },
  {
    to: "/admin/bookings",
    short: "Bookings",
    title: "Bookings",
    text: "Take a booking, move people to another date, print a register.",
  },
  {
    to: "/admin/enquiries",
    short: "Enquiries",
    title: "Enquiries",
    text: "Answer questions from visitors and turn them into bookings.",
  },
  {
    to: "/admin/letters",
    short: "Letters",
    title: "Letters",
    text: "See what was written to learners, and change the templates.",
  },
  {
    to: "/admin/courses",
    folder: "course-dates",
    short: "Courses",
    title: "Course Management",
    text: "Add, change and cancel course dates.",
  },
  {
    to: "/admin/blog",
    short: "Blog",
    title: "Blog Management",
    text: "Write, schedule, change and take down posts.",
  },
  {
    to: "/admin/statistics",
    short: "Statistics",
    title: "Statistics",
    text: "See how many people visit the website, and what they read.",
  },
  {
    to: "/admin/staff",
    short: "Staff",
    title: "Staff",
    text: "Invite a colleague, reset a password, disable an account.",
    account: true,
  },
  {
    to: "/admin/settings",
    short: "Settings",
    title: "Settings",
    text: "Hold places for requests, and export all records.",
    account: true,
  },
  {
    to: "/admin/changes",
    short: "History",
    title: "History",
    text: "See who changed what, and restore what was deleted.",
    account: true,
  },
] as const satisfies readonly Area[];

export const areas: readonly Area[] = declared;

/** The drawing of each area in the navigation. Not part of `areas`, so that no script contains it. */
export const areaIcons: Record<(typeof declared)[number]["to"], string> = {
  "/admin/calendar":
    '<rect x="2.8" y="4" width="14.4" height="13" rx="1.5" /><path d="M2.8 8h14.4M6.6 2.4V5M13.4 2.4V5M6.5 11.2h1M9.5 11.2h1M12.5 11.2h1M6.5 14h1M9.5 14h1" />',
  "/admin/bookings":
    '<rect x="3.6" y="3.4" width="12.8" height="14" rx="1.5" /><path d="M7.3 2.2h5.4v2.6H7.3zM6.6 9h6.8M6.6 12h6.8M6.6 15h3.6" />',
  "/admin/enquiries": '<path d="M3 3.8h14v9.4H9.4L5.6 16.6v-3.4H3z" /><path d="M6.4 7.2h7.2M6.4 9.9h4.4" />',
  "/admin/letters": '<path d="M2.8 4.8h14.4v10.800H2.8z" /><path d="m3.2 5.4 6.8 5.400 6.8-5.400" />',
  "/admin/courses": '<path d="M1.8 7.6 10 4l8.2 3.6L10 11.2zM5.2 9.3v4.2c1.4 1.4 3 2 4.8 2s3.4-.6 4.8-2V9.300M18.2 7.600v4.4" />',
  "/admin/blog": '<path d="m3.2 16.8.9-3.700L13.6 3.600a1.3 1.3 0 0 1 1.9 0l.9.9a1.3 1.3 0 0 1 0 1.900L6.9 15.900zM12 5.200l2.8 2.8" />',
  "/admin/statistics": '<path d="M3 17h14M5.2 17v-5.400M9 17V6.800M12.8 17V9.600M16.2 17V3.6" />',
  "/admin/staff":
    '<circle cx="7.3" cy="7.2" r="2.7" /><path d="M2.2 16c.4-2.9 2.4-4.5 5.1-4.500s4.7 1.6 5.1 4.500M12.8 4.700a2.6 2.6 0 0 1 0 5M14.4 11.800c1.9.5 3.1 2 3.4 4.2" />',
  "/admin/settings":
    '<path d="M3 5.800h6.200M13.8 5.800H17M3 14.200h3.200M10.8 14.200H17" /><circle cx="11.5" cy="5.800" r="2.2" /><circle cx="8.5" cy="14.200" r="2.2" />',
  "/admin/changes": '<path d="M3.2 10a6.8 6.8 0 1 0 2.2-5M3 3v3.200h3.200M10 6.200V10l2.6 1.8" />',
};

/** The title of the area at a path, or else of the portal. */
export function areaTitle(path: string): string {
  return areas.find(({ to }) => to === path)?.title ?? "Staff portal";
}
