import { LoadingPage } from "./frame/loading-page.tsx";
import { Dashboard } from "./dashboard/dashboard.tsx";
import { redirect } from "react-router";
import { takeAskedPage } from "./frame/asked-page.ts";
import { userOf, type HomeUser } from "./frame/use-user.ts";
import { loadedBy } from "./lists/use-filters.ts";
import { codeIsMissing, currentSession } from "./session/session.ts";
import { CodeStep, SignIn } from "./sign-in/sign-in.tsx";
import { WebsiteStatistics } from "./statistics/website-statistics.tsx";
import type { Route } from "./+types/home";

export const shouldRevalidate = loadedBy();

export async function clientLoader(): Promise<HomeUser | null> {
  const session = await currentSession();
  const codeMissing = session !== null && (await codeIsMissing());
  const asked = session && !codeMissing ? takeAskedPage() : null;
  if (asked !== null) throw redirect(asked);
  return session && { ...userOf(session), codeMissing };
}

export function HydrateFallback() {
  return <LoadingPage title="Staff portal" />;
}

/** Shows the login, the form for the code of the second factor, or the dashboard. */
export default function AdminHome({ loaderData: user }: Route.ComponentProps) {
  if (!user) return <SignIn />;
  if (user.codeMissing) return <CodeStep email={user.email} />;
  return (
    <Dashboard key={user.userId}>
      <WebsiteStatistics brief />
    </Dashboard>
  );
}
