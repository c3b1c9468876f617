import { useEffect, useMemo, useRef } from "react";
import packageJson from "../../../package.json" with { type: "json" };
import { Link, Outlet, useMatches, useRevalidator, useRouteError } from "react-router";
import { Button } from "../ui/button.tsx";
import { documentContext } from "../server/site-context.server.ts";
import { DiskSpaceProvider } from "./frame/disk-notice.tsx";
import { followSession } from "./session/follow-session.client.ts";
import { LiveProvider } from "./live/live.tsx";
import { refused } from "./frame/outcome.ts";
import { InsideNavigation, LastTitle, PageFrame } from "./frame/page-frame.tsx";
import { Rail } from "./frame/rail.tsx";
import { RoutingContext } from "./frame/routing.tsx";
import { UnsavedTextsProvider } from "./frame/unsaved-notice.tsx";
import { useUser } from "./frame/use-user.ts";
import styles from "./portal.module.css";
import { SearchButton } from "./search/search-button.tsx";
import { pollSession } from "./session/poll-session.client.ts";
import type { Route } from "./+types/portal";

export function loader({ context }: Route.LoaderArgs) {
  return { publishableKey: context.get(documentContext).publishableKey, version: packageJson.version };
}

/** The data of the layout never change, so a navigation within the portal needs no request to the server. */
export function shouldRevalidate() {
  return false;
}

/** The layout of all portal pages: navigation, the key of the backend; reloads the page when another person, or nobody, is signed in. */
export default function Admin({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const lastTitle = useRef<string | null>(null);
  useEffect(() => followSession(() => void revalidate()), [revalidate]);
  useEffect(() => pollSession(), []);
  const routing = useMemo(() => ({ reload: revalidate, link }), [revalidate]);
  const user = useUser();
  // Trainers may neither search the records of the office nor follow their changes.
  const isTrainer = user?.role === "trainer";
  // Before the session is read, pages that need one already have their navigation.
  const inside = useMatches().some(({ id }) => id === "portal/signed-in") || user !== undefined;
  return (
    <RoutingContext value={routing}>
      <LastTitle value={lastTitle}>
        <meta name="publishable-key" content={loaderData.publishableKey} />
        <LiveProvider userId={isTrainer ? undefined : user?.userId}>
          <DiskSpaceProvider>
            <UnsavedTextsProvider>
              <InsideNavigation value={inside}>
                <div className={inside ? styles.beside : styles.alone}>
                  {inside && <Rail user={user} search={user && !isTrainer && <SearchButton />} />}
                  <Outlet />
                </div>
              </InsideNavigation>
            </UnsavedTextsProvider>
          </DiskSpaceProvider>
        </LiveProvider>
      </LastTitle>
    </RoutingContext>
  );
}

function link(to: string, label: string) {
  return <Link to={to}>{label}</Link>;
}

/** Shown if the session could not be read; unsaved input stays in the tab. */
export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <PageFrame title="Something went wrong" notice={refused(error instanceof Error ? error.message : "The portal could not be reached.")}>
      {/* auth-js repeats the same error for a minute; a reload sends a new request. */}
      <Button onClick={() => location.reload()}>Try Again</Button>
    </PageFrame>
  );
}
