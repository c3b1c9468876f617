import process from "node:process";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../database.types.ts";

/** What a function gets beside its request; a hosted project gives nothing here and the environment says the same. */
export interface FunctionContext {
  env?: Record<string, string | undefined>;
  fetch?: typeof fetch;
}

/** Whose rights a call to the project uses: a visitor's, the function's own, or those of the bearer of a token. */
export type Caller = "anon" | "service_role" | { accessToken: string };

/** Makes a client of the project this function belongs to. Fails when the environment lacks its address or keys. */
export function projectClient(caller: Caller, context: FunctionContext): SupabaseClient<Database> {
  const env = context.env ?? process.env;
  const url = required(env, "SUPABASE_URL");
  const key = caller === "service_role" ? required(env, "SUPABASE_SECRET_KEY") : required(env, "SUPABASE_PUBLISHABLE_KEY");
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    ...(typeof caller === "object" ? { accessToken: () => Promise.resolve(caller.accessToken) } : {}),
    global: context.fetch ? { fetch: context.fetch } : {},
  });
}

function required(env: Record<string, string | undefined>, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set for this function`);
  return value;
}
