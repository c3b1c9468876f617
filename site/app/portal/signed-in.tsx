import { useLocation, useMatches } from "react-router";
import { areaTitle } from "./areas.ts";
import { LoadingPage } from "./frame/loading-page.tsx";
import { userOf } from "./frame/use-user.ts";
import { requireSession } from "./session/session.ts";
import type { Route } from "./+types/signed-in";

/** Redirects to the login before a loader of a page runs, unless staff are signed in. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }) => {
    await requireSession(request);
  },
];

/** The signed-in person, for `useUser`. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  return userOf(await requireSession(request));
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
