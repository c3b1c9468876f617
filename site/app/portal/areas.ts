/** The areas of the portal, one line each: its place, its name in the bar and on its tile, what it is for, and whose unfinished forms it keeps. */
export const areas = [
  {
    to: "/admin/bookings",
    short: "Bookings",
    title: "Bookings",
    text: "Who comes when: take a call, move somebody, print a register.",
    drafts: ["booking", "move-bookings"],
  },
  {
    to: "/admin/enquiries",
    short: "Enquiries",
    title: "Enquiries",
    text: "What people ask: ring back, note it down, make a booking of it.",
    drafts: ["enquiry"],
  },
  {
    to: "/admin/courses",
    short: "Courses",
    title: "Course Management",
    text: "Dates on the board: add the next one, take one off.",
    drafts: ["course-date"],
  },
  {
    to: "/admin/blog",
    short: "Blog",
    title: "Blog Management",
    text: "Posts for visitors: write, schedule, change, take down.",
    drafts: ["blog-post"],
  },
  {
    to: "/admin/staff",
    short: "Staff",
    title: "Staff",
    text: "Who may come in here: invite a colleague, reset a password, keep somebody out.",
    drafts: ["staff"],
  },
  {
    to: "/admin/changes",
    short: "Changes",
    title: "Changes",
    text: "Who changed what, before and after: bring back what was deleted.",
    drafts: ["changes"],
  },
];
