import { href, Navigate, Outlet, useLocation, useMatches } from "react-router";
import { areas, areaTitle } from "./areas.ts";
import { LoadingPage } from "./frame/loading-page.tsx";
import { readUser, requireSession } from "./session/session.ts";
import type { Route } from "./+types/signed-in";

/** Redirects to the sign-in page before a loader of a page runs, unless staff are signed in. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }) => {
    await requireSession(request);
  },
];

/** The signed-in person, for `useUser`. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return readUser(await requireSession(request));
}

/** The page; trainers are sent from the areas of the office to their registers. */
export default function SignedIn({ loaderData: { role } }: Route.ComponentProps) {
  const { pathname } = useLocation();
  return role === "trainer" && areas.some(({ to }) => to === pathname) ? <Navigate to={href("/admin")} replace /> : <Outlet />;
}

export function HydrateFallback() {
  const { pathname } = useLocation();
  const handle = useMatches().at(-1)?.handle;
  return <LoadingPage title={isTitled(handle) ? handle.title : areaTitle(pathname)} />;
}

/** True for the pages that are no area: they export their title. */
function isTitled(handle: unknown): handle is { title: string } {
  return typeof handle === "object" && handle !== null && "title" in handle;
}
