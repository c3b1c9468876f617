import { useMatches } from "react-router";
import { pageHandle } from "../document/page-handle.ts";
import { LoadingPage } from "./frame/loading-page.tsx";
import { requireSession } from "./session/session.ts";
import type { Route } from "./+types/signed-in";

/** Redirects to the login before a loader of a page runs, unless staff are signed in. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async () => {
    await requireSession();
  },
];

/** The signed-in person, for `useUser`. */
export async function clientLoader() {
  const { user } = await requireSession();
  return { userId: user.id, email: user.email };
}

export function HydrateFallback() {
  const { title = "Staff portal" } = pageHandle(useMatches().map(({ handle }) => handle));
  return <LoadingPage title={title} />;
}
