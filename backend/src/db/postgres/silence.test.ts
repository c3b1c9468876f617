import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createTestPostgres, testLog } from "../../../test/database.ts";
import { startSilentNetwork, type SilentNetwork } from "../../../test/silent-network.ts";
import { type Database, DatabaseError } from "../database.ts";
import { openPostgres } from "./postgres.ts";

describe.skipIf(inject("postgres") === null)("when packets are dropped and no connection is closed", () => {
  let network: SilentNetwork;
  let database: Database;
  let direct: Database;
  let url: string;
  let cleanup: AsyncDisposableStack;
  const received: string[] = [];

  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    const created = await createTestPostgres();
    ({ url } = created);
    cleanup.defer(created.remove);
    network = cleanup.adopt(await startSilentNetwork(url), ({ close }) => close());
    direct = cleanup.adopt(await openPostgres({ url, poolSize: 1, log: testLog }), ({ close }) => close());
    database = cleanup.adopt(await openPostgres({ url: network.url(url), poolSize: 3, log: testLog }), ({ close }) => close());
    received.length = 0;
    await database.listen("news", (payload) => received.push(payload));
  });
  afterEach(() => cleanup.disposeAsync());

  const read = (): Promise<unknown> => database.transaction((tx) => tx.query("select 1 as one"), { readOnly: true });
  const codeOf = (failing: Promise<unknown>): Promise<unknown> =>
    failing.catch((error: unknown) => (error instanceof DatabaseError ? error.code : error));

  test("transactions fail with 08006, those that wait and those with a statement of any length included", async () => {
    const running = database.transaction((tx) => tx.query("select pg_sleep(300)"));
    await read();
    network.fall();
    const codes = await Promise.all([running, ...Array.from({ length: 9 }, read)].map(codeOf));
    expect(codes).toEqual(codes.map(() => "08006"));
    expect(await codeOf(read())).toBe("08006");
  });

  test("everything works once they are forwarded again", async () => {
    network.fall();
    expect(await codeOf(read())).toBe("08006");
    network.recover();
    await expect.poll(() => read().catch(() => undefined)).toEqual([{ one: 1 }]);
    await expect.poll(() => received).toEqual([""]);
    await direct.transaction((tx) => tx.query("select pg_notify('news', 'after')"));
    await expect.poll(() => received).toEqual(["", "after"]);
  });

  test("on the listening connection alone, listeners are notified that announcements may be missing", async () => {
    network.fall('listen "news"');
    await direct.transaction((tx) => tx.query("select pg_notify('news', 'missed')"));
    await expect.poll(() => received).toContain("");
    await direct.transaction((tx) => tx.query("select pg_notify('news', 'after')"));
    await expect.poll(() => received).toContain("after");
  });

  test("a process that received nothing for more than a second detects it, and catches up or notifies its listeners that announcements may be missing", async () => {
    const now = performance.now.bind(performance);
    let late = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + late);
    cleanup.defer(() => clock.mockRestore());
    expect(database.isCaughtUp?.()).toBe(true);
    await direct.transaction((tx) => tx.query("select pg_notify('news', 'one')"));
    late += 2000;
    expect(database.isCaughtUp?.()).toBe(false);
    await database.catchUp?.();
    expect(received).toEqual(["one"]);
    expect(database.isCaughtUp?.()).toBe(true);
    network.fall('listen "news"');
    late += 2000;
    expect(database.isCaughtUp?.()).toBe(false);
    await database.catchUp?.();
    expect(received).toEqual(["one", ""]);
    // Announcements may still be missing: each request drops the pages, without another wait.
    const before = performance.now();
    for (const times of [2, 3]) {
      expect(database.isCaughtUp?.()).toBe(false);
      await database.catchUp?.();
      expect(received).toHaveLength(1 + times);
    }
    expect(performance.now() - before).toBeLessThan(500);
  });

  test("on the listening connection alone, its own writes are announced at once", async () => {
    network.fall('listen "news"');
    await database.transaction((tx) => tx.query("select pg_notify('news', 'own')"));
    expect(received).toContain("");
  });

  test("on an idle connection of the pool, the next transaction takes seconds, and later ones work", async () => {
    await read();
    network.fall("select 1 as one");
    expect(await codeOf(read())).toBe("08006");
    expect(await read()).toEqual([{ one: 1 }]);
  });

  test("on one connection in a statement without a timeout, it fails once the server runs nothing for it", async () => {
    const watched = await openPostgres({ url: network.url(url), poolSize: 3, checkMs: 200, log: testLog });
    cleanup.adopt(watched, ({ close }) => close());
    const lost = watched.transaction((tx) => tx.query("select pg_sleep(1)"));
    const slow = watched.transaction((tx) => tx.query("select 'slow' as text, num_nulls(pg_sleep_for('2 s')) as nulls"));
    await watched.transaction((tx) => tx.query("select 1"));
    network.fall("pg_sleep(1)");
    expect(await codeOf(lost)).toBe("08006");
    expect(await slow).toEqual([{ text: "slow", nulls: 0 }]);
  });
});
