import { useEffect, useRef } from "react";
import { Outlet, useRevalidator, useRouteError } from "react-router";
import type { PageHandle } from "../document/page-handle.ts";
import { Button } from "../ui/button.tsx";
import { documentContext } from "../server/site-context.server.ts";
import { LastTitle } from "./frame/focus-heading.ts";
import { followSession } from "./session/follow-session.client.ts";
import { refused } from "./frame/outcome.ts";
import { PageFrame } from "./frame/page-frame.tsx";
import { pollSession } from "./session/poll-session.client.ts";
import type { Route } from "./+types/portal";

export const handle: PageHandle = { router: true };

export function loader({ context }: Route.LoaderArgs) {
  return { publishableKey: context.get(documentContext).publishableKey };
}

/** The key never changes, so moving within the portal asks the server for nothing. */
export function shouldRevalidate() {
  return false;
}

/** What all portal pages share: the key for the backend, and that signing in or out anywhere is followed here, by whomever. */
export default function Admin({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const lastTitle = useRef<string | null>(null);
  useEffect(() => followSession(() => void revalidate()), [revalidate]);
  useEffect(() => pollSession(), []);
  return (
    <LastTitle value={lastTitle}>
      <meta name="publishable-key" content={loaderData.publishableKey} />
      <Outlet />
    </LastTitle>
  );
}

/** Shown where a page could not even ask whether somebody is signed in; nothing typed is lost. */
export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <PageFrame title="Something went wrong" notice={refused(error instanceof Error ? error.message : "The portal could not be reached.")}>
      {/* auth-js answers with the same failure for a minute; a fresh document asks anew. */}
      <Button onClick={() => location.reload()}>Try Again</Button>
    </PageFrame>
  );
}
