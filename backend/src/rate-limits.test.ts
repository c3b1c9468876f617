import { beforeAll, expect, test } from "vitest";
import { openCrashingPglite } from "../test/crashing-pglite.ts";
import { describeDatabases } from "../test/database.ts";
import type { Database } from "./db/database.ts";
import { fillBuckets, startAuth, type TestAuth } from "./auth/fixture.ts";

test("a crash of the embedded database does not reset the rate limits", async () => {
  const { database, crash } = await openCrashingPglite();
  const api = await startAuth(database, { rate_limit: { sign_in_sign_ups: 1 } }, {}, { timeoutMs: 120_000 });
  const recover = async (): Promise<number> => (await api.send("POST", "/recover", { from: "192.0.2.1", body: {} })).status;
  for (let request = 0; request < 30; request += 1) expect(await recover()).not.toBe(429);
  expect(await recover()).toBe(429);

  await crash();
  expect(await recover()).toBe(429);
});

describeDatabases("the rate limits", (open, kind) => {
  let api: TestAuth;

  let database: Database;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
  });

  const recover = (email?: string): ReturnType<TestAuth["send"]> =>
    api.send("POST", "/recover", { ...(email === undefined && { from: "192.0.2.1" }), body: { email } });

  test("a clock that is set back makes nobody wait", async () => {
    for (let request = 0; request < 30; request += 1) await recover();
    await fillBuckets(api, "192.0.2.1", 10);
    expect((await recover()).status).toBe(429);
    // The same as a clock that is two hours behind.
    await api.sql("update auth.rate_limits set filled_until = filled_until + interval '2 hours'");
    expect((await recover()).status).toBe(400);
    await fillBuckets(api, "192.0.2.1", 10);
    const { status, headers } = await recover();
    expect([status, headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^(9|10)$/)]);
  });

  test("a clock that is set back delays no mail", async () => {
    await api.signIn("late@larkfell.example");
    expect((await recover("late@larkfell.example")).status).toBe(200);
    expect((await recover("late@larkfell.example")).status).toBe(429);
    await api.sql("update auth.rate_limits set filled_until = filled_until + interval '2 hours'");
    expect((await recover("late@larkfell.example")).status).toBe(200);
  });

  test("two processes on one database share a limit", async () => {
    const other = await startAuth(database);
    const statuses: number[] = [];
    for (let request = 0; request < 36; request += 1)
      statuses.push((await (request % 2 === 0 ? api : other).send("POST", "/recover", { from: "192.0.2.7", body: {} })).status);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(30);
  });

  test("counting a request does not wait for the disk of a server", async () => {
    await api.sql("create table auth.observed_commits as select ''::text as mode where false");
    await api.sql(`create function auth.observe_commit() returns trigger language plpgsql as $$
      begin insert into auth.observed_commits values (current_setting('synchronous_commit')); return null; end $$`);
    await api.sql("create trigger observe after insert or update on auth.rate_limits for each row execute function auth.observe_commit()");
    await recover("unknown@larkfell.example");
    expect(await api.sql("select distinct mode from auth.observed_commits")).toEqual([{ mode: kind === "postgres" ? "off" : "on" }]);
    await api.sql("drop trigger observe on auth.rate_limits");
  });
});
