import { expect, test } from "vitest";
import { statisticsCsv } from "./statistics-csv.ts";
import type { WebsiteStats } from "./stats.ts";

const stats: WebsiteStats = {
  periodDays: 2,
  uniqueVisitors: 2,
  totalPageViews: 5,
  mostViewedPages: [
    { title: "CCTV Operator", page_path: "/cctv", views: 3 },
    { title: '"Quotes", commas', page_path: "/blog/quotes", views: 2 },
    { title: "=1+1", page_path: "/cctv", views: 3 },
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
      { title: "CCTV Operator", page_path: "/cctv", views: 3, enquiries: 1, places: 0 },
      { title: "First Aid", page_path: "/first-aid", views: 0, enquiries: 0, places: 0 },
    ],
  },
};

test("writes one line per figure, with quoted texts that cannot run as formulas", () => {
  expect(statisticsCsv(stats).split("\r\n")).toEqual([
    '\uFEFF"section","name","path","views","visitors","enquiries","places"',
    '"period","2026-11-20 to 2026-11-21",,5,2,,',
    '"period before",,,4,1,,',
    '"day","2026-11-20",,1,1,,',
    '"day","2026-11-21",,4,2,,',
    '"page","CCTV Operator","/cctv",3,,,',
    '"page","""Quotes"", commas","/blog/quotes",2,,,',
    `"page","'=1+1","/cctv",3,,,`,
    '"course","CCTV Operator","/cctv",3,,1,0',
    '"course","First Aid","/first-aid",0,,0,0',
    '"referrer","search.example",,2,,,',
    '"device","phone",,5,,,',
    '"not counted: opt-outs",,,1,,,',
    "",
  ]);
});
