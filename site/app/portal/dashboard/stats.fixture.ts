import type { WebsiteStats } from "./schema.ts";

/** A response of get-website-stats for tests. */
export const statsFixture: WebsiteStats = {
  periodDays: 2,
  uniqueVisitors: 2,
  totalPageViews: 5,
  mostViewedPages: [
    { title: "CCTV Operator", page_path: "/cctv", views: 3 },
    { title: '"Quotes", commas', page_path: "/blog/quotes", views: 2 },
  ],
  details: {
    days: [
      { day: "2026-11-20", views: 1, visitors: 1 },
      { day: "2026-11-21", views: 4, visitors: 2 },
    ],
    before: { uniqueVisitors: 1, totalPageViews: 4 },
    opt_outs: 1,
    referrers: [{ name: "search.example", views: 2 }],
    devices: [{ name: "phone", views: 5 }],
    funnel: [
      { title: "CCTV Operator", page_path: "/cctv", views: 3, enquiries: 1, bookings: 0 },
      { title: "First Aid", page_path: "/first-aid", views: 0, enquiries: 0, bookings: 0 },
    ],
  },
};
