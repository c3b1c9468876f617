import { expect, test } from "vitest";
import { scriptedClient } from "../wire-fixture.ts";
import { fetchStats, statusText } from "./queries.ts";

test("without a session nothing is asked", async () => {
  const { supabase, asked } = scriptedClient([]);
  expect(await fetchStats(supabase, 30)).toEqual({ ok: false, message: "Not authenticated" });
  expect(asked).toEqual([]);
});

test.each([
  [{ status: 503, statusText: "Service Unavailable" }, "Service Unavailable"],
  [{ status: 503, statusText: "" }, "503"],
])("%j is called %s", (response, text) => {
  expect(statusText(response)).toBe(text);
});
