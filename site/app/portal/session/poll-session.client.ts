import type { User } from "@supabase/supabase-js";
import { browserClient } from "../../supabase/supabase.client.ts";

const ASK_MS = 15_000;

/**
 * Asks the service every quarter of a minute, while the tab is seen, whether the session still stands, and ends it here where it was
 * ended there: by a sign-out elsewhere, a new password, or a colleague who disabled the account. Returns how to stop.
 */
export function pollSession(): () => void {
  const { auth } = browserClient();

  async function ask(): Promise<void> {
    if (document.visibilityState !== "visible") return;
    const { data: stored } = await auth.getSession();
    if (!stored.session) return;
    // On a session that has ended auth-js forgets its own copy; of an account that may no longer do anything it does not.
    const { data, error } = await auth.getUser();
    if (error?.code === "user_banned" || error?.code === "user_not_found") await auth.signOut({ scope: "local" });
    // A colleague has removed the second factor, or it was set up elsewhere: what is stored here must say so.
    if (data.user && hasFactor(data.user) !== hasFactor(stored.session.user)) await auth.refreshSession();
  }

  const timer = setInterval(() => void ask(), ASK_MS);
  const stopped = new AbortController();
  document.addEventListener("visibilitychange", () => void ask(), { signal: stopped.signal });
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

function hasFactor({ factors = [] }: User): boolean {
  return factors.some(({ status }) => status === "verified");
}
