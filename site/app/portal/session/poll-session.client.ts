import type { User } from "@supabase/supabase-js";
import { browserClient } from "../../supabase/supabase.client.ts";

const POLL_MS = 15_000;

/**
 * Checks the session with the service every 15 seconds while the tab is visible, and signs out if the service ended it: after a
 * sign-out on another device, a new password, or when staff disabled the account. Returns a function that stops it.
 */
export function pollSession(): () => void {
  const { auth } = browserClient();

  async function poll(): Promise<void> {
    if (document.visibilityState !== "visible") return;
    const { data: stored } = await auth.getSession();
    if (!stored.session) return;
    // auth-js removes a session that ended, but not that of a disabled or deleted account.
    const { data, error } = await auth.getUser();
    if (error?.code === "user_banned" || error?.code === "user_not_found") await auth.signOut({ scope: "local" });
    // The second factor was removed by staff or set up on another device, or another address was confirmed: the stored session is refreshed.
    const { user } = stored.session;
    if (data.user && (hasFactor(data.user) !== hasFactor(user) || data.user.email !== user.email)) await auth.refreshSession();
  }

  const timer = setInterval(() => void poll(), POLL_MS);
  const stopped = new AbortController();
  document.addEventListener("visibilitychange", () => void poll(), { signal: stopped.signal });
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}

function hasFactor({ factors = [] }: User): boolean {
  return factors.some(({ status }) => status === "verified");
}
