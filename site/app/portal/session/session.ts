import { isAuthRetryableFetchError, type Session } from "@supabase/supabase-js";
import { redirect } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";

/**
 * The session of this browser, refreshed if it had run out; null when nobody is signed in.
 * Throws an `AuthRetryableFetchError` while the service cannot be reached, since the session is kept then.
 */
export async function currentSession(): Promise<Session | null> {
  const { data, error } = await browserClient().auth.getSession();
  if (isAuthRetryableFetchError(error)) throw error;
  return data.session;
}

/** Whether the session still lacks the code of a second factor, without which the service refuses everything. */
export async function codeIsMissing(): Promise<boolean> {
  const { data } = await browserClient().auth.mfa.getAuthenticatorAssuranceLevel();
  return data?.nextLevel === "aal2" && data.currentLevel !== "aal2";
}

/** The session, for pages that need one; without one, or without its code, it throws the way to the login. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession();
  if (!session || (await codeIsMissing())) throw redirect("/admin");
  return session;
}
