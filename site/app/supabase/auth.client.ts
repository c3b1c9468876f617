import { GoTrueClient } from "@supabase/auth-js";
import { publishableKey } from "./publishable-key.client.ts";
import { readableFetch } from "./readable-fetch-errors.ts";

/** The name under which the browser stores the session, the default of supabase-js. */
export function sessionKey(): string {
  return `sb-${location.hostname.split(".")[0]}-auth-token`;
}

/**
 * Creates a client for signing in without the rest of supabase-js, whose own client finds the session under the same name. Not for a tab
 * that has the other one: two clients would refresh the same session at once.
 */
export function createAuthClient(): GoTrueClient {
  const key = publishableKey();
  return new GoTrueClient({
    url: new URL("/auth/v1", location.origin).href,
    headers: { Authorization: `Bearer ${key}`, apikey: key },
    storageKey: sessionKey(),
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: readableFetch,
  });
}
