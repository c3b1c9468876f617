import { browserClient } from "../../supabase/supabase.client.ts";
import { codeIsMissing } from "./session.ts";

/**
 * Calls `onChange` when another person, or nobody, is signed in, or when the code of a second factor was given or becomes necessary,
 * in this tab or another one, also because a session expired. A refreshed token is no change. Returns a function that stops it.
 */
export function followSession(onChange: () => void): () => void {
  const { auth } = browserClient();
  let known: string | undefined;

  // Reads the stored session instead of the event: the message of another tab can arrive before its write is visible here.
  async function look(): Promise<void> {
    const { data, error } = await auth.getSession();
    if (error) return;
    const now = data.session ? `${data.session.user.id} ${data.session.user.email} ${await codeIsMissing()}` : "";
    // The page may have read a session that ended before the first look.
    const changed = known === undefined ? now === "" : known !== now;
    known = now;
    if (changed) onChange();
  }

  const { data } = auth.onAuthStateChange(() => void look());
  const stopped = new AbortController();
  addEventListener("storage", () => void look(), { signal: stopped.signal });
  // A frozen tab receives no messages from the others.
  addEventListener("pageshow", () => void look(), { signal: stopped.signal });
  document.addEventListener("visibilitychange", () => void look(), { signal: stopped.signal });
  return () => {
    stopped.abort();
    data.subscription.unsubscribe();
  };
}
