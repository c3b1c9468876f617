import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { startSmtp } from "backend/test/smtp-server.ts";
import { provider } from "content/provider.ts";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { setClock } from "../support/clock.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

describeDatabases("checks of backups", (open) => {
  let project: Project;
  let owner: SupabaseClient;
  let office: SupabaseClient;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  // The edge function logs a failed mail to the console.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);

  beforeAll(async () => {
    smtp = await startSmtp();
    vi.stubEnv("SMTP_URL", smtp.url);
    project = await openProject(open);
    owner = (await project.staff("owner@site.example")).client;
    office = (await project.staff("office@site.example")).client;
  });
  beforeEach(async () => {
    smtp.received.length = 0;
    warn.mockClear();
    await project.database.transaction((tx) => tx.query("delete from private.backup_checks"));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await smtp.close();
  });

  /** Begins a check at a time and returns the night that it is for; null if there is none to check. */
  async function begin(time: string): Promise<string | null> {
    await setClock(project, Temporal.Instant.from(time));
    const { data, error } = await project.service.rpc("begin_backup_check");
    expect(error).toBeNull();
    return data;
  }
  async function end(time: string, result: { row_count: number } | { problem: string }): Promise<void> {
    const night = await begin(time);
    expect((await project.service.rpc("end_backup_check", { night, ...result })).error).toBeNull();
  }
  async function stateOf(client: SupabaseClient, time: string): Promise<unknown> {
    await setClock(project, Temporal.Instant.from(time));
    const { data, error } = await client.rpc("backup_state");
    expect(error).toBeNull();
    return data;
  }
  async function mail(): Promise<number> {
    const request = new Request(`${PROJECT_URL}/functions/v1/mail-backups`, { method: "POST", headers: { apikey: PUBLISHABLE_KEY } });
    return (await project.backend.fetch(request)).status;
  }

  test.each([
    ["in winter", "2026-12-02T02:59:59Z", "2026-12-01", "2026-12-02T03:00:00Z", "2026-12-02"],
    ["on the night on which the clocks go forward", "2027-03-28T01:59:59Z", "2027-03-27", "2027-03-28T02:00:00Z", "2027-03-28"],
    ["on the night on which the clocks go back", "2026-10-25T02:59:59Z", "2026-10-24", "2026-10-25T03:00:00Z", "2026-10-25"],
    ["in summer", "2026-07-01T01:59:59Z", "2026-06-30", "2026-07-01T02:00:00Z", "2026-07-01"],
  ])("a night begins at 03:00 in London %s", async (_season, before, last, after, next) => {
    expect([await begin(before), await begin(after), await begin(after)]).toEqual([last, next, null]);
  });

  test("one of many processes gets the check of a night, also late in the day after a downtime", async () => {
    await setClock(project, Temporal.Instant.from("2026-12-03T01:30:00Z"));
    const given = await Promise.all(Array.from({ length: 12 }, () => project.service.rpc("begin_backup_check")));
    expect(given.map(({ data }) => data).filter((night) => night !== null)).toEqual(["2026-12-02"]);
  });

  test("a check whose process ended without a result is repeated after three hours, and a finished one is not", async () => {
    await begin("2026-12-02T03:00:00Z");
    expect(await begin("2026-12-02T05:59:59Z")).toBeNull();
    await end("2026-12-02T06:00:00Z", { row_count: 7 });
    expect(await begin("2026-12-02T23:00:00Z")).toBeNull();
  });

  test("without any check an owner reads that there is none, and the office reads nothing", async () => {
    expect(await stateOf(owner, "2026-12-02T09:00:00Z")).toMatchObject([{ state: "none" }]);
    expect(await stateOf(office, "2026-12-02T09:00:00Z")).toEqual([]);
  });

  test("the first check is reported when it has a result, or is late", async () => {
    await begin("2026-12-02T03:00:00Z");
    expect(await stateOf(owner, "2026-12-03T04:59:59Z")).toEqual([]);
    expect(await stateOf(office, "2026-12-03T05:00:00Z")).toMatchObject([{ state: "late", checked_at: "2026-12-02T03:00:00+00:00" }]);
  });

  test("the last check is reported with its time and rows until the next has a result, and is late after 26 hours", async () => {
    await end("2026-12-02T03:12:00Z", { row_count: 4812 });
    const checked = { state: "checked", checked_at: "2026-12-02T03:12:00+00:00", row_count: 4812, problem: null };
    for (const client of [owner, office]) expect(await stateOf(client, "2026-12-02T09:00:00Z")).toEqual([checked]);
    await begin("2026-12-03T03:00:00Z");
    expect(await stateOf(office, "2026-12-03T05:11:59Z")).toEqual([checked]);
    expect(await stateOf(office, "2026-12-03T05:12:00Z")).toEqual([{ ...checked, state: "late" }]);
  });

  test("a failed check is reported with its problem until the next one succeeds", async () => {
    await end("2026-12-02T03:12:00Z", { row_count: 4812 });
    await end("2026-12-03T03:12:00Z", { problem: "damaged" });
    expect(await stateOf(office, "2026-12-03T09:00:00Z")).toMatchObject([{ state: "failed", problem: "damaged", row_count: null }]);
    await end("2026-12-04T03:12:00Z", { row_count: 4813 });
    expect(await stateOf(office, "2026-12-04T09:00:00Z")).toMatchObject([{ state: "checked", row_count: 4813 }]);
  });

  test("a result is the number of rows or a slug, never a message", async () => {
    const night = await begin("2026-12-02T03:12:00Z");
    for (const result of [{}, { row_count: 1, problem: "damaged" }, { row_count: -1 }, { problem: "/backups is damaged" }])
      expect((await project.service.rpc("end_backup_check", { night, ...result })).error?.code).toBe("23514");
  });

  test("a failed check is mailed once, and again later only if the mail server refused it", async () => {
    await end("2026-12-02T03:12:00Z", { row_count: 4812 });
    expect([await mail(), smtp.received.length]).toEqual([200, 0]);
    await end("2026-12-03T03:12:00Z", { problem: "damaged" });
    smtp.refuse.with = 451;
    expect(await mail()).toBe(202);
    smtp.refuse.with = 0;
    expect([await mail(), smtp.received.length]).toEqual([200, 0]);
    expect(warn.mock.calls).toEqual([["A mail about a backup failed and will be tried again.", "451"]]);
    await setClock(project, Temporal.Instant.from("2026-12-03T03:14:00Z"));
    expect(await Promise.all([mail(), mail(), mail()])).toEqual([200, 200, 200]);
    await setClock(project, Temporal.Instant.from("2026-12-03T05:00:00Z"));
    await mail();
    expect(smtp.received.map(({ to }) => to)).toEqual([provider.email]);
    const raw = smtp.received[0]?.raw ?? "";
    expect(raw).toMatch(/^Subject: The backup of Thursday 3 December 2026 failed/m);
    expect(raw.replaceAll("=\r\n", "")).toContain("failed because the backup is damaged.");
  });

  test("no backup has the keys and salts of rate limits", async () => {
    const marks = await project.database.transaction((tx) =>
      tx.query("select obj_description(oid, 'pg_class') as mark from pg_class where relkind = 'r' and relname ^@ 'rate_limit_'"),
    );
    expect(marks).toEqual(Array.from({ length: 2 }, () => ({ mark: expect.stringMatching(/^Not in backups/) })));
  });
});
