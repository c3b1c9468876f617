import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { fetchStats, statusText } from "./queries.ts";

test("no statistics are requested without a session", async () => {
  const supabase = createClient("http://service.example", "sb_publishable_test", {
    auth: { persistSession: false },
    global: { fetch: () => Promise.reject(new Error("a request was sent")) },
  });
  expect(await fetchStats(supabase, 30)).toEqual({ ok: false, message: "Not authenticated" });
});

test.each([
  [{ status: 503, statusText: "Service Unavailable" }, "Service Unavailable"],
  [{ status: 503, statusText: "" }, "503"],
])("the status of %j is shown as %s", (response, text) => {
  expect(statusText(response)).toBe(text);
});
