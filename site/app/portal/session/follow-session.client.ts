import { browserClient } from "../../supabase/supabase.client.ts";
import { codeIsMissing } from "./session.ts";

/**
 * Calls `onChange` when another person, or nobody, is signed in than before, or the code of a second factor was given or is asked for:
 * by this tab, by another, or because a session ran out. Returns how to stop. A refreshed token is no change.
 */
export function followSession(onChange: () => void): () => void {
  const { auth } = browserClient();
  let standing: string | undefined;

  // What is stored decides, not what an event says: another tab's message can arrive before its write is seen here.
  async function look(): Promise<void> {
    const { data, error } = await auth.getSession();
    if (error) return;
    const now = data.session ? `${data.session.user.id} ${await codeIsMissing()}` : "";
    const changed = standing !== undefined && standing !== now;
    standing = now;
    if (changed) onChange();
  }

  const { data } = auth.onAuthStateChange(() => void look());
  const stopped = new AbortController();
  addEventListener("storage", () => void look(), { signal: stopped.signal });
  // A tab that was frozen heard nothing from the others.
  addEventListener("pageshow", () => void look(), { signal: stopped.signal });
  document.addEventListener("visibilitychange", () => void look(), { signal: stopped.signal });
  return () => {
    stopped.abort();
    data.subscription.unsubscribe();
  };
}
