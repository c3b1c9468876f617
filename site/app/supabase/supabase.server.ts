import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";

export type Supabase = SupabaseClient<Database>;

export interface SupabaseOptions {
  url: string;
  publishableKey: string;
  /** Reaches the backend: in process where it is embedded, over the network where it is not. */
  fetch: (request: Request, connection?: { clientAddress: string }) => Promise<Response>;
}

/** What the loaders of one page have read so far. */
export interface Reads {
  /** The tables (`schema.table`) the page was made from. */
  tables: Set<string>;
  /** True once a read failed for a reason that will pass, so that the page is not what it should be. */
  failed: boolean;
}

const TABLE_PATH = /\/rest\/v1\/([a-z0-9_]+)$/;
const LONGEST_READ_MS = 5000;

/** Makes a visitor's client for the loaders of one page, which notes in `reads` what the page depends on. */
export function createServerClient(options: SupabaseOptions, reads: Reads, visitor?: { clientAddress: string }): Supabase {
  async function notingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const table = TABLE_PATH.exec(new URL(request.url).pathname)?.[1];
    if (table !== undefined) reads.tables.add(`public.${table}`);
    try {
      const answer = await options.fetch(
        new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(LONGEST_READ_MS)]) }),
        visitor,
      );
      reads.failed ||= answer.status >= 500;
      return answer;
    } catch (error) {
      reads.failed = true;
      throw error;
    }
  }
  return createClient<Database>(options.url, options.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    // A visitor is better served by the phone number now than by the dates in ten seconds.
    db: { retry: false },
    global: { fetch: notingFetch },
  });
}
