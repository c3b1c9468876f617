import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { fetchStats } from "./stats.ts";

/** A client of a service that signs everybody in and answers its functions with `respond`. */
function clientOf(respond: () => Response) {
  const session = { access_token: "a.b.c", refresh_token: "r", token_type: "bearer", expires_in: 3600, user: { id: "1" } };
  return createClient("http://service.example", "sb_publishable_test", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input) => (new Request(input).url.includes("/auth/v1/token") ? Response.json(session) : respond()) },
  });
}

test("no statistics are requested without a session", async () => {
  const supabase = clientOf(() => {
    throw new Error("a request was sent");
  });
  expect(await fetchStats(supabase, 30)).toEqual({ ok: false, message: "Not authenticated" });
});

test.each([
  [{ status: 503, statusText: "Service Unavailable" }, "Service Unavailable"],
  [{ status: 503, statusText: "" }, "503"],
])("the status of %j is shown as %s", async (init, text) => {
  const supabase = clientOf(() => new Response("", init));
  await supabase.auth.signInWithPassword({ email: "jo@site.example", password: "password" });
  expect(await fetchStats(supabase, 30)).toEqual({ ok: false, message: `Failed to fetch website stats: ${text}` });
});

test("a failed connection is shown in words", async () => {
  const supabase = clientOf(() => {
    throw new TypeError("fetch failed");
  });
  await supabase.auth.signInWithPassword({ email: "jo@site.example", password: "password" });
  const message = "Failed to fetch website stats: the service could not be reached";
  expect(await fetchStats(supabase, 30)).toEqual({ ok: false, message });
});
