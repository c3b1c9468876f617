import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";
import { fetchInWords } from "./readable-fetch-errors.ts";

export type BrowserSupabase = SupabaseClient<Database>;

let client: BrowserSupabase | undefined;

/**
 * The tab's one client of the backend, which the site serves or forwards at its own origin.
 * There is one because two would refresh the same stored session at once. Fails where the page carries no key.
 */
export function browserClient(): BrowserSupabase {
  client ??= createClient<Database>(location.origin, publishableKey(), {
    auth: { detectSessionInUrl: false },
    global: { fetch: fetchInWords },
  });
  return client;
}

/** The key the portal's document carries for calls that supabase-js does not make. Fails where there is none. */
export function publishableKey(): string {
  const key = document.querySelector<HTMLMetaElement>('meta[name="publishable-key"]')?.content;
  if (key === undefined) throw new Error("This page carries no publishable key");
  return key;
}
