import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";

export type Supabase = SupabaseClient<Database>;

export interface SupabaseOptions {
  url: string;
  publishableKey: string;
  /** Calls the backend: in process if it is embedded, otherwise over the network. */
  fetch: (request: Request, connection: ReadConnection) => Promise<Response>;
}

/** Properties of a request that the backend receives in addition to the request. */
export interface ReadConnection {
  /** The visitor's network address; undefined if the site calls for itself. */
  clientAddress?: string | undefined;
  /** The backend adds the tables that its response was read from, as `schema.table`; `*` if they are unknown. */
  relations: Set<string>;
}

/** The reads of one page so far. */
export interface Reads {
  /** The tables that were read, as `schema.table`; `*` if some are unknown. */
  relations: Set<string>;
  /** True once a read failed for a temporary reason, so that the page is incomplete. */
  failed: boolean;
}

const READ_TIMEOUT_MS = 5000;

/** Creates an anonymous client for the loaders of one page; it records in `reads` what the page depends on. */
export function createServerClient(options: SupabaseOptions, reads: Reads, visitor?: { clientAddress: string }): Supabase {
  async function recordingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    try {
      const response = await options.fetch(new Request(input, { ...init, signal }), {
        clientAddress: visitor?.clientAddress,
        relations: reads.relations,
      });
      reads.failed ||= response.status >= 500;
      return response;
    } catch (error) {
      reads.failed = true;
      throw error;
    }
  }
  return createClient<Database>(options.url, options.publishableKey, {
    // With this option no auth client is created, which would take longer than the query.
    accessToken: () => Promise.resolve(null),
    // Visitors get a page with the phone number at once instead of one with dates after ten seconds.
    db: { retry: false },
    global: { fetch: recordingFetch },
  });
}
