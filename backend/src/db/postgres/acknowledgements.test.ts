import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestPostgres, testLog } from "../../../test/database.ts";
import { startSilentNetwork } from "../../../test/silent-network.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./postgres.ts";

const LIMIT_MS = 1000;

/** A process with a cache of one row, as the site caches pages. */
interface Reader {
  database: Database;
  /** The value of the row, from the cache if there is one and the database lets it be used. */
  read(): Promise<{ value: number; isCached: boolean }>;
}

describe.skipIf(inject("postgres") === null)("three processes on one server", () => {
  let cleanup: AsyncDisposableStack;
  let url: string;

  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    const created = await createTestPostgres({ platform: false });
    ({ url } = created);
    cleanup.defer(created.remove);
    const first = await open(url);
    await first.transaction((tx) => tx.script("create table page (value int); insert into page values (0)"));
  });
  afterEach(() => cleanup.disposeAsync());

  async function open(address: string): Promise<Database> {
    const database = await openPostgres({ url: address, poolSize: 2, log: testLog });
    cleanup.defer(() => database.close());
    return database;
  }

  async function startReader(address = url): Promise<Reader> {
    const database = await open(address);
    let cached: number | undefined;
    let drops = 0;
    await database.listen(
      "changes",
      () => {
        cached = undefined;
        drops += 1;
      },
      { everywhere: true },
    );
    async function read(): Promise<{ value: number; isCached: boolean }> {
      if (database.isCaughtUp?.() === false) await database.catchUp?.();
      if (cached !== undefined) return { value: cached, isCached: true };
      const before = drops;
      const [row] = await database.transaction((tx) => tx.last<{ value: number }>("select value from page"), { readOnly: true });
      const value = Number(row?.value);
      if (drops === before) cached = value;
      return { value, isCached: false };
    }
    return { database, read };
  }

  /** Writes the next value; returns it once it is acknowledged. */
  async function write({ database }: Reader): Promise<number> {
    const [row] = await database.transaction(async (tx) => {
      await tx.query("select pg_notify('changes', 'page')");
      return tx.query<{ value: number }>("update page set value = value + 1 returning value");
    });
    return Number(row?.value);
  }

  async function secondsOf(work: Promise<unknown>): Promise<number> {
    const started = performance.now();
    await work;
    return (performance.now() - started) / 1000;
  }

  test("none serves an older value once a write on any of them is acknowledged, under concurrent writes", async () => {
    const readers = [await startReader(), await startReader(), await startReader()];
    const stale: string[] = [];
    let cached = 0;
    const work = readers.map(async (writer, own) => {
      for (let round = 0; round < 150; round += 1) {
        const written = await write(writer);
        const read = await Promise.all(readers.map((reader) => reader.read()));
        for (const [index, { value, isCached }] of read.entries()) {
          if (isCached) cached += 1;
          if (value < written) stale.push(`${index} served ${value} after ${own} had written ${written}`);
        }
      }
    });
    await Promise.all(work);
    expect(stale).toEqual([]);
    expect(cached).toBeGreaterThan(100);
  });

  test("a write waits for a process that receives nothing, until that process serves nothing from its cache; later writes do not wait", async () => {
    const network = cleanup.adopt(await startSilentNetwork(url), ({ close }) => close());
    const writer = await startReader();
    const silent = await startReader(network.url(url));
    await write(writer);
    for (const reader of [writer, silent]) await reader.read();
    expect(await silent.read()).toMatchObject({ isCached: true });
    network.fall('listen "changes"');
    let written = 0;
    const waited = await secondsOf(write(writer).then((value) => (written = value)));
    expect(waited).toBeGreaterThan(LIMIT_MS / 2000);
    expect(waited).toBeLessThan(2.5);
    expect(await silent.read()).toEqual({ value: written, isCached: false });
    for (let round = 0; round < 5; round += 1) {
      const value = await write(writer);
      expect(await silent.read()).toEqual({ value, isCached: false });
    }
    network.recover();
    await expect.poll(async () => (await silent.read()).isCached, { interval: 20, timeout: 10_000 }).toBe(true);
    for (let round = 0; round < 20; round += 1) {
      const value = await write(writer);
      expect(await silent.read()).toMatchObject({ value });
    }
  });

  test("a process whose listening connection is ended serves no older value while it is replaced", async () => {
    const [writer, other] = [await startReader(), await startReader()];
    await write(writer);
    for (const reader of [writer, other]) await reader.read();
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'listening %'`;
    await (await open(url)).transaction((tx) => tx.query(end));
    for (let round = 0; round < 10; round += 1) {
      const value = await write(writer);
      for (const reader of [writer, other]) expect((await reader.read()).value).toBe(value);
    }
  });

  test("a process that was alone waits for one that started since", async () => {
    const writer = await startReader();
    for (let round = 0; round < 3; round += 1) await write(writer);
    const later = await startReader();
    for (let round = 0; round < 50; round += 1) {
      await later.read();
      const value = await write(writer);
      expect((await later.read()).value).toBe(value);
    }
  });

  test("a process that is alone sends no questions", async () => {
    const writer = await startReader();
    await write(writer);
    const observer = new pg.Client({ connectionString: url });
    await observer.connect();
    cleanup.defer(() => observer.end());
    const received: string[] = [];
    observer.on("notification", ({ channel }) => received.push(channel));
    await observer.query("listen changes; listen listening_processes");
    for (let round = 0; round < 10; round += 1) await write(writer);
    await observer.query("select 1");
    expect(received).toEqual(Array.from({ length: 10 }, () => "changes"));
  });

  test("a process that ended delays one write by a second at most", async () => {
    const [writer, other] = [await startReader(), await startReader()];
    await write(writer);
    await other.database.close();
    expect(await secondsOf(write(writer))).toBeLessThan(2);
    await expect.poll(() => secondsOf(write(writer)), { timeout: 10_000 }).toBeLessThan(0.3);
  });
});
