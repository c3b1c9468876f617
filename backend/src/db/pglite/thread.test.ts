import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPglite, prepareDataDirectory, testLog } from "../../../test/database.ts";
import { openPglite } from "./pglite.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";

describe("a database on disk", () => {
  let dataDir: string;
  let directory: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(TEMPORARY_FILES, "larkfell-restart-"));
    prepareDataDirectory(dataDir);
    directory = join(dataDir, "database");
    const database = await openPglite({ dataDir: directory, log: testLog });
    await database.transaction((tx) => tx.script("create table kept (id int generated always as identity, text text)"));
    await database.close();
  });

  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test("is opened again with all commits when its thread ends", async () => {
    let worker: Worker | undefined;
    process.once("worker", (started: Worker) => {
      worker = started;
    });
    const database = await openPglite({ dataDir: directory, log: testLog });
    const received: string[] = [];
    await database.listen("news", (payload) => received.push(payload));
    // One that could not begin to listen is forgotten.
    await expect(database.listen("no \0", (payload) => received.push(payload))).rejects.toThrow("invalid message format");
    await database.transaction((tx) => tx.query("insert into kept (text) values ('before')"));
    const losing = database.transaction(async (tx) => {
      await tx.query("insert into kept (text) values ('never')");
      await worker?.terminate();
      return tx.query("insert into kept (text) values ('after, in the place of another')");
    });
    const next = database.transaction((tx) => tx.query("select text from kept"));
    await expect(losing).rejects.toMatchObject({ code: "08006" });
    expect(await next).toEqual([{ text: "before" }]);
    await database.transaction((tx) => tx.query("select pg_notify('news', 'still received')"));
    expect(received).toEqual(["", "still received"]);
    await database.close();
  });

  test("fails only the statement that needs too much memory", async () => {
    const database = await openPglite({ dataDir: directory, log: testLog });
    const repeat = (megabytes: number) =>
      database.transaction((tx) => tx.query(`select octet_length(repeat(repeat('x', 1 << 20), ${megabytes})) as length`));
    await expect(repeat(600)).rejects.toMatchObject({ code: "53200" });
    expect(await repeat(100)).toEqual([{ length: 100 * 1024 * 1024 }]);
    await database.close();
  });

  test("fails a statement that needs more memory than the database has, if the memory may not grow", async () => {
    const database = await openPglite({ dataDir: directory, log: testLog });
    const repeat = (megabytes: number, mayGrowMemory: boolean) =>
      database.transaction((tx) => tx.query(`select octet_length(repeat(repeat('x', 1 << 20), ${megabytes})) >> 20 as length`), {
        mayGrowMemory,
      });
    await expect(repeat(150, false)).rejects.toMatchObject({ code: "53200" });
    expect(await repeat(20, false)).toEqual([{ length: 20 }]);
    expect(await repeat(150, true)).toEqual([{ length: 150 }]);
    // The memory has grown.
    expect(await repeat(150, false)).toEqual([{ length: 150 }]);
    await database.close();
  });

  test("cancels only the statement that exceeds its timeout, and keeps its thread", async () => {
    const database = await openPglite({ dataDir: directory, log: testLog });
    const restarts = countThreads();
    const count = (rows: number) => `select count(*) from generate_series(1, ${rows})`;
    const endless = database.transaction((tx) => tx.query(count(2_000_000_000)), { statementTimeoutMs: 100 });
    const waiting = Array.from({ length: 5 }, (_, n) =>
      database.transaction((tx) => tx.query("insert into kept (text) values ($1) returning text", [n]), { statementTimeoutMs: 5000 }),
    );
    await expect(endless).rejects.toMatchObject({ code: "57014" });
    expect(await Promise.all(waiting)).toEqual([0, 1, 2, 3, 4].map((n) => [{ text: String(n) }]));
    expect(restarts()).toBe(0);
    // A statement without a timeout is not limited.
    expect(await database.transaction((tx) => tx.query(count(1_500_000)))).toEqual([{ count: 1_500_000 }]);
    await database.close();
  });

  test("is opened again if a cancelled statement does not stop", async () => {
    const database = await openPglite({ dataDir: directory, log: testLog });
    const restarts = countThreads();
    const sleeping = database.transaction((tx) => tx.query("select pg_sleep(600)"), { statementTimeoutMs: 100 });
    await expect(sleeping).rejects.toMatchObject({ code: "57014" });
    expect(await database.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
    expect(restarts()).toBe(1);
    await database.close();
  });
});

test("a database in memory cancels a statement that exceeds its timeout, and nothing after it", async () => {
  const warnings: string[] = [];
  const remember = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", remember);
  const database = await openTestPglite();
  for (let round = 0; round < 12; round += 1) {
    const endless = database.transaction((tx) => tx.query("select count(*) from generate_series(1, 2000000000)"), {
      statementTimeoutMs: 20,
    });
    const next = database.transaction((tx) => tx.query("select count(*) from generate_series(1, 1000)"));
    await expect(endless).rejects.toMatchObject({ code: "57014", message: "canceling statement due to statement timeout" });
    expect(await next).toEqual([{ count: 1000 }]);
  }
  process.off("warning", remember);
  expect(warnings).not.toContain("MaxListenersExceededWarning");
  await database.close();
});

test("statements are cancelled while other databases of the process are opened and closed", async () => {
  const database = await openTestPglite();
  let isOver = false;
  const others = Array.from({ length: 2 }, async () => {
    for (let round = 0; round < 4; round += 1) await (await openTestPglite()).close();
  });
  const over = Promise.all(others).finally(() => (isOver = true));
  while (!isOver) {
    const endless = database.transaction((tx) => tx.query("select count(*) from generate_series(1, 2000000000)"), {
      statementTimeoutMs: 2,
    });
    await expect(endless).rejects.toMatchObject({ code: "57014" });
  }
  await over;
  await database.close();
});

/** Counts the threads that start from now on. */
function countThreads(): () => number {
  let count = 0;
  process.on("worker", () => (count += 1));
  return () => count;
}
