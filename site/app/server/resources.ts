import type { PublicRoute } from "content/pages.ts";

/** Every path of the public site that is not a page: files, and the form of the opt-out. */
export const resources: readonly PublicRoute[] = [
  { path: "/calendar/:file", file: "course/calendar.ts" },
  { path: "/staff-calendar/:file", file: "staff-calendar.ts" },
  { path: "/social/blog/:file", file: "og-image/post-image.ts" },
  { path: "/social/:file", file: "og-image/page-image.ts" },
  { path: "/blog/rss.xml", file: "blog/rss.ts", cached: true },
  { path: "/visit-opt-out", file: "visit-opt-out.ts" },
  { path: "/sitemap.xml", file: "sitemap.ts", cached: true },
  { path: "/robots.txt", file: "robots.ts", cached: true },
  { path: "/site.webmanifest", file: "manifest.ts", cached: true },
  { path: "/health", file: "health.ts", essential: true },
];
