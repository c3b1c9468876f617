import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestPostgres, testLog } from "../../../test/database.ts";
import { startTransactionPooler, type TransactionPooler } from "../../../test/transaction-pooler.ts";
import { asIdentity } from "../as-identity.ts";
import { announcementsJob } from "../announcements.ts";
import type { Database, Row, Transaction } from "../database.ts";
import { openPostgres } from "./postgres.ts";

/** One of these announcements may be late, because of other work on the machine. */
const ROUNDS = 8;
const REQUEST = { method: "GET", path: "/", headers: {} };

describe.skipIf(inject("postgres") === null)("behind a pooler that gives every transaction another connection", () => {
  let pooler: TransactionPooler;
  let database: Database;
  let remove: () => Promise<void>;
  let direct: string;
  let url: string;

  beforeAll(async () => {
    const made = await createTestPostgres();
    ({ remove } = made);
    direct = made.url;
    pooler = await startTransactionPooler(direct);
    url = pooler.url(made.url);
    database = await openPostgres({ url: `${url}&pgbouncer=true`, poolSize: 2, log: testLog });
    await database.transaction((tx) => tx.script("create table item (id int); grant select, insert on item to anon"));
  });
  afterAll(async () => {
    await database.close();
    await pooler.close();
    await remove();
  });

  test("each transaction uses one connection", async () => {
    const pids = await Promise.all(
      Array.from({ length: 30 }, async (_, id) => {
        const [first, second] = await database.transaction(async (tx) => {
          const before = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
          await tx.query("insert into item values ($1)", [id]);
          return [...before, ...(await tx.query<{ pid: number }>("select pg_backend_pid() as pid"))];
        });
        expect(second).toEqual(first);
        return first?.pid;
      }),
    );
    expect(new Set(pids).size).toBe(6);
    expect(await database.transaction((tx) => tx.query("select count(*) from item"))).toEqual([{ count: 30 }]);
  });

  test("a connection keeps no setting of a caller after success or failure", async () => {
    const caller = { role: "anon", claims: { role: "anon", sub: "somebody" }, authenticated: false };
    const read = (sql: string) => asIdentity(database, caller, REQUEST, (tx) => tx.last(sql), { readOnly: true });
    const rows = await Promise.all(Array.from({ length: 12 }, () => read("select current_user::text as who")));
    expect(rows).toEqual(Array.from({ length: 12 }, () => [{ who: "anon" }]));
    await Promise.allSettled(Array.from({ length: 12 }, () => read("select 1 / 0")));
    const left = await Promise.all(
      Array.from({ length: 12 }, () =>
        database.transaction((tx) =>
          tx.query(
            "select current_user = session_user as own, coalesce(current_setting('request.jwt.claims', true), '') as claims, (select count(*) from pg_prepared_statements) as kept",
          ),
        ),
      ),
    );
    expect(left).toEqual(Array.from({ length: 12 }, () => [{ own: true, claims: "", kept: 0 }]));
  });

  test("prepared statements are not used, and settings are those of the driver, without a parameter of the URL", async () => {
    await using unaware = disposable(await openPostgres({ url, poolSize: 1, log: testLog }));
    const observe = "select current_setting('timezone') as zone, (select count(*) from pg_prepared_statements) as prepared, $1::int as n";
    for (let round = 0; round < 6; round += 1)
      expect(await unaware.transaction((tx) => tx.query(observe, [round]))).toEqual([{ zone: "UTC", prepared: 0, n: round }]);
  });

  test("prepared statements that are missing on a connection are prepared again if the pooler cannot be recognised", async () => {
    const disguised = await startTransactionPooler(direct, { ownProcessId: false });
    const unaware = await openPostgres({ url: disguised.url(direct), poolSize: 1, log: testLog });
    for (let round = 0; round < 6; round += 1) {
      expect(await unaware.transaction((tx) => tx.query("select $1::int as n", [round]))).toEqual([{ n: round }]);
    }
    await unaware.close();
    await disguised.close();
  });

  describe.each(["", "&pgbouncer=true"])('with "%s" in the URL, an announcement', (parameter) => {
    const open = async (): Promise<Database & AsyncDisposable> =>
      disposable(await openPostgres({ url: url + parameter, poolSize: 2, log: testLog }));

    test("of its own process is delivered before its transaction resolves, every time", async () => {
      await using writer = await open();
      const received: string[] = [];
      await writer.listen("news", (payload) => received.push(payload));
      for (let round = 0; round < 20; round += 1) {
        await announce(writer, String(round));
        expect(received).toContain(String(round));
      }
    });

    test("of another process is delivered within a second, as far as the machine lets any query be", async () => {
      await using reader = await open();
      await using writer = await open();
      const received = new Map<string, PromiseWithResolvers<boolean>>();
      await reader.listen("news", (payload) => received.get(payload)?.resolve(true));
      const delivered: boolean[] = [];
      const seconds: Promise<boolean>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const arrival = Promise.withResolvers<boolean>();
        received.set(String(round), arrival);
        await announce(writer, String(round));
        // On a busy machine this second is as much longer as the reader's timers and queries are.
        const second = oneSecondWithQueries(writer).then(() => false);
        seconds.push(second);
        delivered.push(await Promise.race([arrival.promise, second]));
      }
      await Promise.all(seconds);
      expect(delivered.filter(Boolean).length).toBeGreaterThanOrEqual(ROUNDS - 1);
    });

    test("of another process is delivered soon, whatever the order of commits", async () => {
      await using reader = await open();
      await using writer = await open();
      const received: string[] = [];
      await reader.listen("news", (payload) => received.push(payload));
      await writer.transaction(async (tx) => {
        await tx.query("select auth.announce('news', 'begun first')");
        await announce(database, "committed first");
        await expect.poll(() => received).toContain("committed first");
        expect(received).not.toContain("begun first");
      });
      await expect.poll(() => received).toContain("begun first");
    });
  });

  test("announcements are deleted when every process has read them", async () => {
    const count = (tx: Transaction): Promise<Row[]> => tx.query("select payload from auth.announcements where channel = 'old news'");
    await database.transaction((tx) =>
      tx.script(`insert into auth.announcements (channel, payload, announced_at)
        values ('old news', 'old', now() - interval '2 hours'), ('old news', 'new', now())`),
    );
    await announcementsJob(database).run();
    expect(await database.transaction(count)).toEqual([{ payload: "new" }]);
  });
});

/** Waits for half a second and a query, twice. */
async function oneSecondWithQueries(database: Database): Promise<void> {
  for (let half = 0; half < 2; half += 1) {
    await delay(500);
    await database.transaction((tx) => tx.query("select 1"));
  }
}

function announce(database: Database, payload: string): Promise<unknown> {
  return database.transaction((tx) => tx.query("select auth.announce('news', $1)", [payload]));
}

function disposable(database: Database): Database & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}
