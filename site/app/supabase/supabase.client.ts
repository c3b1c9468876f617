import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";
import { readableFetch } from "./readable-fetch-errors.ts";

export type BrowserSupabase = SupabaseClient<Database>;

let client: BrowserSupabase | undefined;

/**
 * The only Supabase client of the tab, at the site's own origin: two clients would refresh the same stored session at once.
 * Fails if the page contains no key.
 */
export function browserClient(): BrowserSupabase {
  client ??= createClient<Database>(location.origin, publishableKey(), {
    auth: { detectSessionInUrl: false },
    // After a lost connection staff see the error and "Try Again" at once instead of a spinner for seven seconds.
    db: { retry: false },
    global: { fetch: readableFetch },
  });
  return client;
}

/** The publishable key in the portal's document. Fails if there is none. */
export function publishableKey(): string {
  const key = document.querySelector<HTMLMetaElement>('meta[name="publishable-key"]')?.content;
  if (key === undefined) throw new Error("This page contains no publishable key");
  return key;
}
