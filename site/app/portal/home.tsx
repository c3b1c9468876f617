import { Suspense } from "react";
import { browserClient } from "../supabase/supabase.client.ts";
import type { BookableDate } from "./bookable-dates/bookable-date.ts";
import { lazyPart } from "./frame/lazy-part.tsx";
import { LoadingPage } from "./frame/loading-page.tsx";
import { Dashboard } from "./dashboard/dashboard.tsx";
import { redirect } from "react-router";
import { takeRequestedPage } from "./frame/requested-page.ts";
import type { Loaded } from "./frame/outcome.ts";
import type { HomeUser } from "./frame/use-user.ts";
import { loadedBy } from "./lists/use-filters.ts";
import { codeIsMissing, currentSession, readUser } from "./session/session.ts";
import { ServerSignIn, SignIn } from "./sign-in/sign-in.tsx";
import { WebsiteStatistics } from "./statistics/website-statistics.tsx";
import type { Route } from "./+types/home";

// Lazy: most people of the office need neither.
const CodeStep = lazyPart(() => import("./sign-in/code-step.tsx"));
const OwnRegisters = lazyPart(() => import("./bookings/register/own-registers.tsx"));

export const shouldRevalidate = loadedBy();

export async function clientLoader() {
  const session = await currentSession();
  const codeMissing = session !== null && (await codeIsMissing());
  const requested = session && !codeMissing ? takeRequestedPage() : null;
  if (requested !== null) throw redirect(requested);
  if (!session) return null;
  const user: HomeUser = { ...(await readUser(session)), codeMissing };
  return { ...user, ownDates: user.role === "trainer" && !codeMissing ? readOwnDates(user.userId) : null };
}

async function readOwnDates(trainer: string): Promise<Loaded<BookableDate>> {
  const { listOwnDates } = await import("./bookings/register/own-dates.ts");
  return listOwnDates(browserClient(), trainer);
}

export function HydrateFallback() {
  return <ServerSignIn />;
}

/** Shows the sign-in page, the form for the code of the second factor, or the dashboard; to a trainer the registers of the trainer's course dates. */
export default function AdminHome({ loaderData: user }: Route.ComponentProps) {
  if (!user) return <SignIn />;
  if (user.codeMissing) {
    return (
      <Suspense fallback={<LoadingPage title="Enter your code" />}>
        <CodeStep email={user.email} />
      </Suspense>
    );
  }
  if (user.ownDates) {
    return (
      <Suspense fallback={<LoadingPage title="My registers" />}>
        <OwnRegisters key={user.userId} dates={user.ownDates} />
      </Suspense>
    );
  }
  return (
    <Dashboard key={user.userId}>
      <WebsiteStatistics />
    </Dashboard>
  );
}
