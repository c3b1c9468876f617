import process from "node:process";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../database.types.ts";

/** The context that our server passes to a function with the request. A hosted project passes nothing and sets the process environment. */
export interface FunctionContext {
  env?: Record<string, string | undefined>;
  fetch?: typeof fetch;
}

export type ProjectClient = SupabaseClient<Database>;

/** The rights of a client: a visitor's, the service's, or those of an access token. */
type Caller = "anon" | "service_role" | { accessToken: string };

export function environmentOf(context: FunctionContext): Record<string, string | undefined> {
  return context.env ?? process.env;
}

/** The origin of the website; on our own server that of the project. */
export function siteUrlOf(context: FunctionContext): string {
  const { SITE_URL: site, SUPABASE_URL: project = "" } = environmentOf(context);
  return new URL(site || project).origin;
}

/** Makes a client of the project this function belongs to. Throws if the environment lacks its address or keys. */
export function projectClient(caller: Caller, context: FunctionContext): ProjectClient {
  const env = environmentOf(context);
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
