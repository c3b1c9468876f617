import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestPostgres, testLog } from "../../../test/database.ts";
import type { Database } from "../database.ts";
import { quoteIdentifier } from "../quote.ts";
import { openPostgres } from "./postgres.ts";

const LIMIT = 6;

describe.skipIf(inject("postgres") === null)("a role with few connections", () => {
  let cleanup: AsyncDisposableStack;
  let superuser: Database;
  let url: string;

  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    const created = await createTestPostgres();
    cleanup.defer(created.remove);
    superuser = await open(created.url, 1);
    const role = `limited_${randomUUID()}`;
    await superuser.transaction((tx) => tx.script(`create role ${quoteIdentifier(role)} login connection limit ${LIMIT}`));
    cleanup.defer(() => superuser.transaction((tx) => tx.script(`drop role ${quoteIdentifier(role)}`)));
    const limited = new URL(created.url);
    limited.username = role;
    ({ href: url } = limited);
  });
  afterEach(() => cleanup.disposeAsync());

  async function open(address: string, poolSize?: number): Promise<Database> {
    return cleanup.adopt(await openPostgres({ url: address, poolSize, log: testLog }), (database) => database.close());
  }

  const readAll = (database: Database, count: number): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, () => database.transaction((tx) => tx.query("select pg_sleep(0.01)"), { readOnly: true })));

  /** Reads without a pause until the returned function is called, which fails if a read failed. */
  function load(database: Database): () => Promise<void> {
    const loading = new AbortController();
    const readers = Array.from({ length: 20 }, async () => {
      while (!loading.signal.aborted) await readAll(database, 1);
    });
    return async () => {
      loading.abort();
      await Promise.all(readers);
    };
  }

  test("serves every transaction of a pool that wants more", async () => {
    const database = await open(url, 3 * LIMIT);
    expect(await readAll(database, 200)).toHaveLength(200);
  });

  test("has room for a second process while the first is under load", async () => {
    const first = await open(url);
    await first.listen("news", () => undefined);
    const stop = load(first);
    await readAll(first, 50);
    const second = await open(url);
    await second.listen("news", () => undefined);
    expect(await readAll(second, 50)).toHaveLength(50);
    await stop();
  });

  test("has a connection again for the listener that lost it, whatever the pool has taken", async () => {
    const database = await open(url, 3 * LIMIT);
    const received: string[] = [];
    await database.listen("news", (payload) => received.push(payload));
    const stop = load(database);
    await readAll(database, 100);
    const end = "select count(pg_terminate_backend(pid)) as ended from pg_stat_activity where usename = $1 and query in ($2, 'select 1')";
    const { username } = new URL(url);
    expect(await superuser.transaction((tx) => tx.query(end, [username, 'listen "news"']))).toEqual([{ ended: 1 }]);
    await expect.poll(() => received).toContain("");
    await stop();
  });
});
