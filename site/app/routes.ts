import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { pages } from "content/pages.ts";
import { areas, type Area } from "./portal/areas.ts";
import { resources } from "./server/resources.ts";

/** Every URL of the site. The id of a public route is its path. */
export default [
  ...[...pages, ...resources].map(({ path, file }) => route(path, `routes/${file}`, { id: path })),
  route("admin", "portal/portal.tsx", [
    index("portal/home.tsx"),
    route("set-up", "portal/set-up/set-up.tsx"),
    route("password", "portal/set-up/password.tsx"),
    layout("portal/signed-in.tsx", [
      route("profile", "portal/profile/profile.tsx"),
      route("courses/:dateId/register", "portal/bookings/register/register.tsx"),
      ...areas.map(areaRoute),
    ]),
  ]),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;

function areaRoute({ to, folder }: Area) {
  const path = to.slice("/admin/".length);
  const name = folder ?? path;
  return route(path, `portal/${name}/${name}.tsx`);
}
