import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testLog } from "../../../test/database.ts";
import type { Database } from "../database.ts";
import { openPglite } from "./pglite.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";

const MB = 1024 * 1024;

describe("a data directory on a full disk", () => {
  let directory: string;
  let database: Database;
  let free = Infinity;

  beforeAll(async () => {
    directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-full-disk-"));
    // The reserve counts as used space.
    const freeBytes = (): number => free - (existsSync(join(directory, "reserve")) ? 48 * MB : 0);
    database = await openPglite({ dataDir: directory, freeBytes, log: testLog });
    await database.transaction((tx) => tx.script("create table kept (text text)"));
  });
  afterAll(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    free = Infinity;
    await fillReserve();
  });

  const fillReserve = async (): Promise<void> => {
    for (const job of database.jobs ?? []) if (job.name === "disk-reserve") await job.run();
  };
  const write = (useReserve = false): Promise<unknown> =>
    database.transaction((tx) => tx.query("insert into kept values ('text') returning 1"), { useReserve });

  test("refuses writes before it is full, and reads in every kind of transaction", async () => {
    free = (48 + 63) * MB;
    await expect(write()).rejects.toMatchObject({ code: "53100" });
    expect(await database.transaction((tx) => tx.query("select count(*) >= 0 as counted from kept"))).toEqual([{ counted: true }]);
    expect(await database.transaction((tx) => tx.query("select 1 as one"), { readOnly: true })).toEqual([{ one: 1 }]);
    await expect(database.transaction((tx) => tx.query("select from nothing"))).rejects.toMatchObject({ code: "42P01" });
    free = (48 + 64) * MB;
    await write();
  });

  test("accepts essential writes, and gives them its reserve when nothing is left", async () => {
    free = (48 + 30) * MB;
    await write(true);
    expect(existsSync(join(directory, "reserve"))).toBe(true);
    free = 48 * MB;
    await write(true);
    expect(existsSync(join(directory, "reserve"))).toBe(false);
    await expect(write()).rejects.toMatchObject({ code: "53100" });
    free = 10 * MB;
    await expect(write(true)).rejects.toMatchObject({ code: "53100" });
  });

  test("has a reserve again after the first write for which there is space", async () => {
    free = 48 * MB;
    await write(true);
    expect(existsSync(join(directory, "reserve"))).toBe(false);
    free = Infinity;
    await write();
    await expect.poll(() => existsSync(join(directory, "reserve"))).toBe(true);
  });

  test("has a reserve again when there is space", async () => {
    await rm(join(directory, "reserve"));
    free = 100 * MB;
    await fillReserve();
    expect(existsSync(join(directory, "reserve"))).toBe(false);
    free = 112 * MB;
    await fillReserve();
    expect(existsSync(join(directory, "reserve"))).toBe(true);
  });
});
