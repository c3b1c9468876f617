import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs, { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openTestPglite, testLog } from "../../../test/database.ts";
import { lockDataDirectory, POSTGRES_MAJOR } from "./data-directory.ts";
import type { Database } from "../database.ts";
import { startEngine } from "./engine.ts";
import { unpackEmptyCluster } from "./empty-cluster.ts";
import { openPglite } from "./pglite.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";

const INSERTER = fileURLToPath(new URL("../../../test/insert-until-killed.ts", import.meta.url));
const KILL_ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);

describe("a data directory", () => {
  let directory: string;
  let made: string;
  let copies = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-data-"));
    made = join(directory, "made", "database");
    await mkdir(join(made, "unfinished-AbCdEf"), { recursive: true });
    const database = await openPglite({ dataDir: made, log: testLog });
    await database.transaction((tx) => tx.script("create table kept (id int generated always as identity, text text)"));
    await database.close();
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  async function copyOfMade(): Promise<string> {
    copies += 1;
    const copy = join(directory, `copy ${copies}`);
    await cp(made, copy, { recursive: true });
    return copy;
  }

  test("is created for its owner only, complete or not at all, and can be opened again", async () => {
    const fresh = join(directory, "fresh", "database");
    lockDataDirectory(fresh)();
    expect((await stat(fresh)).mode & 0o777).toBe(0o700);
    // The remains of a process killed during creation are removed.
    expect((await readdir(made)).toSorted()).toEqual(["cluster", "process.lock"]);
    expect((await stat(join(made, "cluster"))).mode & 0o777).toBe(0o700);

    const database = await openPglite({ dataDir: made, log: testLog });
    expect(await database.transaction((tx) => tx.query("select count(*) from kept"))).toEqual([{ count: 0 }]);
    await database.close();
  });

  test("that cannot be created fails with the reason of the file system", async () => {
    const taken = await mkdtemp(join(directory, "taken-"));
    await writeFile(join(taken, "PG_VERSION"), "");
    await expect(unpackEmptyCluster(taken)).rejects.toThrow(/^EEXIST: /);
  });

  test("has the major version that its files are checked against", async () => {
    const database = await openTestPglite();
    const [row] = await database.transaction((tx) => tx.query("select current_setting('server_version_num')::int / 10000 as major"));
    expect(String(row?.major)).toBe(POSTGRES_MAJOR);
    await database.close();
  });

  test("of another process is refused with that process's name until it ends or is killed", async () => {
    const dataDir = await copyOfMade();
    const { child } = await insert(dataDir, 1);
    await expect(openPglite({ dataDir, log: testLog })).rejects.toMatchObject({
      code: "data_directory_locked",
      message: expect.stringContaining(`process ${child.pid} `),
    });
    await kill(child);
    const database = await openPglite({ dataDir, log: testLog });
    await expect(openPglite({ dataDir, log: testLog })).rejects.toMatchObject({
      code: "data_directory_locked",
      message: expect.stringContaining(`process ${process.pid} `),
    });
    await database.close();
  });

  test("with an empty postmaster.pid, as after a power cut, is opened", async () => {
    const dataDir = await copyOfMade();
    await writeFile(join(dataDir, "cluster", "postmaster.pid"), "");
    const database = await openPglite({ dataDir, log: testLog });
    expect(await database.transaction((tx) => tx.query("select 1 as one"))).toEqual([{ one: 1 }]);
    await database.close();
  });

  test("that cannot be written is refused", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    await expect(openPglite({ dataDir: join(file, "database"), log: testLog })).rejects.toMatchObject({
      code: "data_directory_unwritable",
    });
    await expect(openPglite({ dataDir: file, log: testLog })).rejects.toMatchObject({ code: "data_directory_unwritable" });
  });

  test("of another Postgres version is refused and not changed", async () => {
    const dataDir = await copyOfMade();
    await writeFile(join(dataDir, "cluster", "PG_VERSION"), "19\n");
    await expect(openPglite({ dataDir, log: testLog })).rejects.toMatchObject({
      code: "data_directory_version",
      message: expect.stringMatching(/PostgreSQL 19;.*PostgreSQL 18/),
    });
    expect(await readFile(join(dataDir, "cluster", "PG_VERSION"), "utf8")).toBe("19\n");
    expect(existsSync(join(dataDir, "process.json"))).toBe(false);
  });

  test("keeps every acknowledged row of a process that is killed", { timeout: 60_000 + KILL_ROUNDS * 60_000 }, async () => {
    const dataDir = await copyOfMade();
    let last = 0;
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      const { child, acknowledged } = await insert(dataDir, last + 1);
      await delay(20 + Math.random() * 300);
      await kill(child);
      last = Math.max(...acknowledged);

      const database = await openPglite({ dataDir, log: testLog });
      const [row] = await database.transaction((tx) => tx.query("select array_agg(id) as ids from kept"));
      await database.close();
      const ids = new Set(Array.isArray(row?.ids) ? row.ids : []);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });

  test("is synced to disk by every commit", async () => {
    const engine = await startEngine({ directory: join(await copyOfMade(), "cluster"), image: undefined, onStderr: () => undefined });
    const original = fs.fsyncSync;
    let syncs = 0;
    fs.fsyncSync = (descriptor) => {
      syncs += 1;
      original(descriptor);
    };
    syncBuiltinESMExports();
    try {
      for (let row = 0; row < 20; row += 1) await engine.query("insert into kept (text) values ('x')");
    } finally {
      fs.fsyncSync = original;
      syncBuiltinESMExports();
    }
    await engine.close();
    expect(syncs).toBeGreaterThanOrEqual(20);
  });
});

describe("the embedded database", () => {
  test("does not keep the 6 MB of files that PGlite comes with in memory", async () => {
    const image = new Uint8Array(await readFile(inject("pgliteImages").platform));
    const engine = await startEngine({ directory: undefined, image, onStderr: () => undefined });
    const { FS: files } = engine.Module;
    const opened: Uint8Array = files.readFile("/pglite/share/postgresql/timezonesets/Default");
    expect(Buffer.from(opened).toString()).toContain("Default");
    expect(files.lookupPath("/pglite/share/postgresql/postgres.bki").node.contents.buffer.byteLength).toBeLessThan(1_000_000);
    await engine.close();
  });

  test("does not block the process while it computes", async () => {
    const database = await openTestPglite();
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 1);
    await database.transaction((tx) => tx.query("select sum(sqrt(n)) from generate_series(1, 400000) n"));
    clearInterval(turning);
    // On this thread it would be 0; bench/event-loop measures the length of each turn.
    expect(turns).toBeGreaterThan(10);
    await database.close();
  });

  test("fails statements and logs an error when its thread ends", async () => {
    let worker: Worker | undefined;
    process.once("worker", (started: Worker) => {
      worker = started;
    });
    const lines: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => lines.push(line) });
    const database = await openPglite({ image: new Uint8Array(await readFile(inject("pgliteImages").empty)), log });
    const { failure } = await startLongStatement(database);
    await worker?.terminate();
    expect(await failure).toMatchObject({ code: "08006" });
    await expect(database.transaction((tx) => tx.query("select 1"))).rejects.toMatchObject({ code: "08006" });
    expect(lines.join("")).toContain("the embedded database has ended");
    await database.close();
  });

  test("closes while a statement of several minutes runs", async () => {
    const database = await openTestPglite();
    const { failure } = await startLongStatement(database);
    await database.close();
    expect(await failure).toMatchObject({ code: "08006" });
  });
});

/** Sends a statement of several minutes in an open transaction; `failure` resolves with its error. */
async function startLongStatement(database: Database): Promise<{ failure: Promise<unknown> }> {
  const started = Promise.withResolvers<void>();
  const running = database.transaction(async (tx) => {
    await tx.query("select 1");
    const counting = tx.query("select count(*) from generate_series(1, 1000000000)");
    started.resolve();
    await counting;
  });
  const failure = running.catch((error: unknown) => error);
  await started.promise;
  return { failure };
}

/** Starts a process that inserts into a data directory; resolves when a row with at least this id is acknowledged. */
async function insert(dataDir: string, from: number): Promise<{ child: ChildProcess; acknowledged: number[] }> {
  const child = spawn(process.execPath, ["--liftoff-only", INSERTER, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const acknowledged: number[] = [];
  const started = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    acknowledged.push(Number(line));
    if (Number(line) >= from) started.resolve();
  });
  child.once("exit", () => started.reject(new Error("the inserting process ended by itself")));
  await started.promise;
  return { child, acknowledged };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
