import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { openTestPglite } from "backend/test/database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchStats } from "../../app/portal/statistics/stats.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

let project: Project;
let staff: SupabaseClient;
let isConnected = true;

beforeAll(async () => {
  project = await openProject(openTestPglite);
  const email = "staff@site.example";
  await project.staff(email);
  staff = createClient(PROJECT_URL, PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      // Nothing listens at the second address.
      fetch: (input, init) => (isConnected ? project.backend.fetch(new Request(input, init)) : fetch("http://127.0.0.1:1")),
    },
  });
  await staff.auth.signInWithPassword({ email, password: project.password });
});
afterAll(() => project.database.close());

test("statistics need a session", async () => {
  expect(await fetchStats(project.visitor, 30)).toEqual({ ok: false, message: "Not authenticated" });
});

test("staff get the statistics of a period", async () => {
  expect(await fetchStats(staff, 30)).toMatchObject({ ok: true, stats: { periodDays: 30, totalPageViews: 0 } });
});

test("statistics that cannot be read are refused with the status", async () => {
  await project.database.transaction((tx) => tx.script("alter table private.visit_counts rename to visit_counts_away"));
  expect(await fetchStats(staff, 30)).toEqual({ ok: false, message: "Failed to fetch website stats: 503" });
});

test("a failed connection is shown as a message", async () => {
  isConnected = false;
  const message = "Failed to fetch website stats: the service could not be reached";
  expect(await fetchStats(staff, 30)).toEqual({ ok: false, message });
});
