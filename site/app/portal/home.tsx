import { LoadingPage } from "./frame/loading-page.tsx";
import { Dashboard } from "./dashboard/dashboard.tsx";
import { codeIsMissing, currentSession } from "./session/session.ts";
import { CodeStep, SignIn } from "./sign-in/sign-in.tsx";
import type { Route } from "./+types/home";

export async function clientLoader() {
  const session = await currentSession();
  return session && { userId: session.user.id, email: session.user.email, codeMissing: await codeIsMissing() };
}

export function HydrateFallback() {
  return <LoadingPage title="Staff portal" />;
}

/** Shows the login, the form for the code of the second factor, or the dashboard. */
export default function AdminHome({ loaderData: user }: Route.ComponentProps) {
  if (!user) return <SignIn />;
  if (user.codeMissing) return <CodeStep email={user.email} />;
  return <Dashboard key={user.userId} user={user} />;
}
