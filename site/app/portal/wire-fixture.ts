import { createClient } from "@supabase/supabase-js";
import type { Database } from "../../../supabase/database.types.ts";
import type { BrowserSupabase } from "../supabase/supabase.client.ts";

/** One answer of the service. */
export interface WireAnswer {
  status: number;
  body?: unknown;
}

/** A real client whose service gives these answers one after the other, for tests; `asked` lists method, path and body of each question. */
export function scriptedClient(answers: readonly WireAnswer[]): { supabase: BrowserSupabase; asked: string[] } {
  const asked: string[] = [];
  const supabase = createClient<Database>("http://service.example", "sb_publishable_test", {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      async fetch(input, init) {
        const request = new Request(input, init);
        const { pathname, search } = new URL(request.url);
        const body = await request.text();
        const answer = answers[asked.length];
        asked.push([request.method, decodeURIComponent(pathname + search), body].join(" ").trim());
        if (!answer) throw new Error(`nothing scripted for ${asked.at(-1)}`);
        return answer.body === undefined
          ? new Response(null, { status: answer.status })
          : Response.json(answer.body, { status: answer.status });
      },
    },
  });
  return { supabase, asked };
}

/** A refusal as the data service words it. */
export function refusal(status: number, code: string, message: string): WireAnswer {
  return { status, body: { code, message, details: null, hint: null } };
}
