import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../supabase/database.types.ts";

export type Supabase = SupabaseClient<Database>;

export interface SupabaseOptions {
  url: string;
  publishableKey: string;
  /** Reaches the backend: in process where it is embedded, over the network where it is not. */
  fetch: (request: Request) => Promise<Response>;
}

const TABLE_PATH = /\/rest\/v1\/([a-z0-9_]+)$/;

/**
 * Makes a visitor's client for the loaders of one request.
 * It notes in `tables` which tables were read, so that the cached page is dropped when one of them changes.
 */
export function createServerClient(options: SupabaseOptions, tables: Set<string>): Supabase {
  return createClient<Database>(options.url, options.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch: (input, init) => {
        const request = new Request(input, init);
        const table = TABLE_PATH.exec(new URL(request.url).pathname)?.[1];
        if (table !== undefined) tables.add(`public.${table}`);
        return options.fetch(request);
      },
    },
  });
}
