import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";
import { sessionKey } from "./auth.client.ts";
import { publishableKey } from "./publishable-key.client.ts";
import { readableFetch } from "./readable-fetch-errors.ts";

export type BrowserSupabase = SupabaseClient<Database>;

let client: BrowserSupabase | undefined;

/**
 * The only Supabase client of the tab, at the site's own origin: two clients would refresh the same stored session at once.
 * Fails if the page contains no key.
 */
export function browserClient(): BrowserSupabase {
  client ??= createClient<Database>(location.origin, publishableKey(), {
    auth: { detectSessionInUrl: false, storageKey: sessionKey() },
    // After a lost connection staff see the error and "Try Again" at once instead of a spinner for seven seconds.
    db: { retry: false },
    global: { fetch: readableFetch },
  });
  return client;
}
