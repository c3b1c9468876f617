import { isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import { href, redirect } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { rememberRequestedPage } from "../frame/requested-page.ts";
import { userOf, type Role, type User } from "../frame/use-user.ts";

/**
 * Returns the session of this browser, refreshed if it expired; null if nobody is signed in.
 * Throws an `AuthRetryableFetchError` if the service cannot be reached; the stored session stays valid.
 */
export async function currentSession(): Promise<Session | null> {
  const { data, error } = await browserClient().auth.getSession();
  if (isAuthRetryableFetchError(error)) throw error;
  return data.session;
}

/** Returns true if the session still needs the code of a second factor; the service refuses all requests without it. */
export async function codeIsMissing(): Promise<boolean> {
  const { data } = await browserClient().auth.mfa.getAuthenticatorAssuranceLevel();
  return data?.nextLevel === "aal2" && data.currentLevel !== "aal2";
}

/** Returns the session; throws a redirect to the sign-in page, which opens the requested page later, if there is none or its code is missing. */
export async function requireSession(request: Request): Promise<Session> {
  const session = await currentSession();
  if (session && !(await codeIsMissing())) return session;
  rememberRequestedPage(request);
  throw redirect(href("/admin"));
}

let known: { token: string; role: Promise<Role> } | undefined;

/** Returns the person of a session. The role is read once for each access token, since a new role ends the session. */
export async function readUser(session: Session): Promise<User> {
  const { access_token: token } = session;
  known = known?.token === token ? known : { token, role: readRole() };
  return userOf(session, await known.role);
}

/** Without a response the portal shows the pages of the office; the policies still apply. */
async function readRole(): Promise<Role> {
  const { data } = await browserClient().rpc("own_role");
  if (data === "owner" || data === "trainer") return data;
  if (data === null) known = undefined;
  return "office";
}
