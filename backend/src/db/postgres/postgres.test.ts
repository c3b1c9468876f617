import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestPostgres, openTestPostgres, startOwnPostgres, testLog } from "../../../test/database.ts";
import type { PostgresServer } from "../../../test/postgres/server.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./postgres.ts";

const KILL_ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);

describe.skipIf(inject("postgres") === null)("a Postgres server's connection", () => {
  test("that is lost rolls back its own transaction and no other", async () => {
    const database = await openTestPostgres();
    await database.transaction((tx) => tx.script("create table written (text text)"));
    const losing = database.transaction(async (tx) => {
      await tx.query("insert into written values ('before')");
      const end = tx.query("select pg_terminate_backend(pg_backend_pid())");
      const after = tx.query("insert into written values ('after, sent with the end')");
      await Promise.allSettled([end, after]);
      await delay(20);
      await tx.query("insert into written values ('after, when a new connection could be there')");
    });
    const others = Promise.all(
      Array.from({ length: 20 }, (_, n) => database.transaction((tx) => tx.query("insert into written values ($1)", [n]))),
    );
    await expect(losing).rejects.toMatchObject({ code: "08006" });
    await others;
    const [row] = await database.transaction((tx) =>
      tx.query("select count(*) filter (where text like '%e%') as lost, count(*) from written"),
    );
    expect(row).toEqual({ lost: 0, count: 20 });
    await database.close();
  });

  test("that is lost while idle fails the next statement, not the process", async () => {
    const database = await openTestPostgres();
    const idle = database.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await database.transaction((other) => other.query("select pg_terminate_backend($1)", [row?.pid ?? 0]));
      // The end of the connection is received before the result of a later statement.
      await expect.poll(() => runningProcesses(database, "pid = $1", row?.pid ?? 0)).toBe(0);
      return tx.query("select 1");
    });
    await expect(idle).rejects.toMatchObject({ code: "08006" });
    expect(await database.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
    await database.close();
  });

  test("that is busy makes other transactions wait, and after a time limit fail with 53300", async () => {
    const { url, remove } = await createTestPostgres();
    const database = await openPostgres({ url, poolSize: 1, patienceMs: 200, log: testLog });
    const busy = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const holding = database.transaction(async (tx) => {
      busy.resolve();
      await waits.promise;
      return tx.query("select 1 as one");
    });
    await busy.promise;
    await expect(database.transaction((tx) => tx.query("select 2 as two"))).rejects.toMatchObject({ code: "53300" });
    waits.resolve();
    expect(await holding).toEqual([{ one: 1 }]);
    expect(await database.transaction((tx) => tx.query("select 2 as two"))).toEqual([{ two: 2 }]);
    await database.close();
    await remove();
  });

  test("ends a cancelled statement and can be used again", async () => {
    const { url, remove } = await createTestPostgres();
    const database = await openPostgres({ url, poolSize: 1, log: testLog });
    const observer = await openPostgres({ url, poolSize: 1, log: testLog });
    const controller = new AbortController();
    const sleeping = database.transaction((tx) => tx.query("select pg_sleep(300)"), { signal: controller.signal });
    const failure = sleeping.catch((error: unknown) => error);
    await expect.poll(() => runningProcesses(observer, "state = 'active' and query = $1", "select pg_sleep(300)")).toBe(1);
    await observer.close();
    controller.abort();
    expect(await failure).toMatchObject({ code: "57014" });
    for (let round = 0; round < 20; round += 1) {
      const cancelled = new AbortController();
      const racing = database.transaction((tx) => tx.query("select pg_sleep(0.002)"), { signal: cancelled.signal });
      setTimeout(() => cancelled.abort(), 2);
      await racing.catch(() => undefined);
      expect(await database.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
    }
    await database.close();
    await remove();
  });

  test("works without prepared statements, as behind a pooler", async () => {
    const { url, remove } = await createTestPostgres();
    const database = await openPostgres({ url: `${url}&pgbouncer=true`, log: testLog });
    for (let round = 0; round < 3; round += 1) {
      expect(
        await database.transaction((tx) => tx.query("select $1::int as n, (select count(*) from pg_prepared_statements) as kept", [round])),
      ).toEqual([{ n: round, kept: 0 }]);
    }
    await database.close();
    await remove();
  });

  test("without a server, or without the required TLS, fails with 08006", async () => {
    const { url, remove } = await createTestPostgres();
    const nowhere = new URL(url);
    nowhere.port = "1";
    await expect(openPostgres({ url: nowhere.href, log: testLog })).rejects.toMatchObject({ code: "08006" });
    await expect(openPostgres({ url: url.replace("sslmode=disable", "sslmode=require"), log: testLog })).rejects.toMatchObject({
      code: "08006",
    });
    const preferring = await openPostgres({ url: url.replace("sslmode=disable", "sslmode=prefer&channel_binding=prefer"), log: testLog });
    await preferring.close();
    await remove();
  });

  test("that the server refuses fails with the server's error", async () => {
    const { url, remove } = await createTestPostgres();
    await remove();
    await expect(openPostgres({ url, log: testLog })).rejects.toMatchObject({ code: "3D000" });
  });
});

describe.skipIf(inject("postgres") === null)("a Postgres server", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startOwnPostgres({ durable: true });
    database = await openPostgres({ url: server.url("postgres"), poolSize: 4, log: testLog });
    await database.transaction((tx) => tx.script("create table kept (id int primary key)"));
  });
  afterAll(async () => {
    await database.close();
    await server.remove();
  });

  test("may restart under load: statements fail meanwhile, and announcements resume", async () => {
    const received: string[] = [];
    const stop = await database.listen("news", (payload) => received.push(payload));
    const outcomes = new Set<unknown>();
    const loading = new AbortController();
    const load = Array.from({ length: 6 }, async () => {
      while (!loading.signal.aborted) {
        const outcome = database.transaction((tx) => tx.query("select $1::int", [1]));
        outcomes.add(
          await outcome.then(
            () => "fine",
            (error: unknown) => error instanceof Error && "code" in error && error.code,
          ),
        );
        await delay(2);
      }
    });
    await expect.poll(() => outcomes).toEqual(new Set(["fine"]));
    await server.stop();
    await expect.poll(() => outcomes).toEqual(new Set(["fine", "08006"]));
    await server.start();
    // Transactions fail until announcements are received again.
    await expect
      .poll(() =>
        database
          .transaction((tx) => tx.query("select 1"))
          .then(
            () => "fine",
            () => "lost",
          ),
      )
      .toBe("fine");
    expect(received).toContain("");
    loading.abort();
    await Promise.all(load);
    expect(outcomes).toEqual(new Set(["fine", "08006"]));

    await database.transaction((tx) => tx.query("select pg_notify('news', 'after')"));
    expect(received.at(-1)).toBe("after");
    await stop();
  });

  test("keeps every acknowledged row when it is killed", { timeout: 60_000 + KILL_ROUNDS * 30_000 }, async () => {
    let next = 0;
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      const acknowledged: number[] = [];
      const running = new AbortController();
      const writers = Array.from({ length: 4 }, async () => {
        while (!running.signal.aborted) {
          const id = (next += 1);
          const insert = database.transaction((tx) => tx.query("insert into kept values ($1)", [id]));
          await insert.then(
            () => acknowledged.push(id),
            () => undefined,
          );
        }
      });
      await expect.poll(() => acknowledged.length).toBeGreaterThan(0);
      await delay(Math.random() * 200);
      await server.kill();
      running.abort();
      await Promise.all(writers);
      await server.start();
      await expect
        .poll(() =>
          database
            .transaction((tx) => tx.query("select 1"))
            .then(
              () => true,
              () => false,
            ),
        )
        .toBe(true);
      const [row] = await database.transaction((tx) => tx.query("select array_agg(id) as ids from kept"));
      const ids = new Set(Array.isArray(row?.ids) ? row.ids : []);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });
});

/** The number of server processes that match a condition on `pg_stat_activity`. */
async function runningProcesses(database: Database, condition: string, value: string | number): Promise<number> {
  const [row] = await database.transaction((tx) =>
    tx.query<{ count: number }>(`select count(*)::integer as count from pg_stat_activity where ${condition}`, [value]),
  );
  return row?.count ?? 0;
}
