import { index, layout, prefix, route, type RouteConfig } from "@react-router/dev/routes";
import { areas } from "./portal/areas.ts";

/** Every URL of the site; `content/pages.ts` declares the public pages, `portal/areas.ts` the areas of the portal. */
export default [
  index("routes/home/home.tsx"),
  route(":courseId", "routes/course/course.tsx"),
  route("calendar/:file", "routes/course/calendar.ts"),
  route("social/blog/:file", "routes/blog/og-image.ts"),
  ...prefix("blog", [index("routes/blog/blog.tsx"), route("rss.xml", "routes/blog/rss.ts"), route(":slug", "routes/blog/post.tsx")]),
  ...prefix("enquiry", [index("routes/enquiry/enquiry.tsx"), route("thanks", "routes/enquiry/thanks.tsx")]),
  ...["privacy-policy", "terms-conditions"].map((path) => route(path, "routes/legal/legal.tsx", { id: path })),
  route("visit-opt-out", "routes/visit-opt-out.ts"),
  route("admin", "portal/portal.tsx", [
    index("portal/home.tsx"),
    route("set-up", "portal/set-up/set-up.tsx"),
    route("password", "portal/set-up/password.tsx"),
    layout("portal/signed-in.tsx", [
      route("profile", "portal/profile/profile.tsx"),
      route("courses/:dateId/register", "portal/bookings/register.tsx"),
      ...areas.map(({ to, page }) => route(to.slice("/admin/".length), page)),
    ]),
  ]),
  route("sitemap.xml", "routes/sitemap.ts"),
  route("robots.txt", "routes/robots.ts"),
  route("site.webmanifest", "routes/manifest.ts"),
  route("health", "routes/health.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
