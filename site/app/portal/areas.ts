/** The areas of the portal: URL, name in the navigation, name and text on the dashboard, and the areas of their unsaved forms. */
export const areas = [
  {
    to: "/admin/bookings",
    short: "Bookings",
    title: "Bookings",
    text: "Take a booking, move people to another date, print a register.",
    drafts: ["booking", "move-bookings"],
  },
  {
    to: "/admin/enquiries",
    short: "Enquiries",
    title: "Enquiries",
    text: "Answer questions from visitors and turn them into bookings.",
    drafts: ["enquiry"],
  },
  {
    to: "/admin/courses",
    short: "Courses",
    title: "Course Management",
    text: "Add, change and cancel course dates.",
    drafts: ["course-date"],
  },
  {
    to: "/admin/blog",
    short: "Blog",
    title: "Blog Management",
    text: "Write, schedule, change and take down posts.",
    drafts: ["blog-post"],
  },
  {
    to: "/admin/staff",
    short: "Staff",
    title: "Staff",
    text: "Invite a colleague, reset a password, disable an account.",
    drafts: ["staff"],
  },
  {
    to: "/admin/changes",
    short: "Changes",
    title: "Changes",
    text: "See who changed what, and restore what was deleted.",
    drafts: ["changes"],
  },
];
