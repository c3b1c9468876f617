import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { prepareDataDirectory, testLog } from "../test/database.ts";
import type { Database } from "./db/database.ts";
import { extensionsNamed } from "./db/pglite/extensions.ts";
import { openDatabase } from "./index.ts";
import { TEMPORARY_FILES } from "../test/temporary-files.ts";

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

async function project(migration: string): Promise<() => Promise<Database>> {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-extensions-"));
  directories.push(directory);
  prepareDataDirectory(directory);
  await mkdir(join(directory, "migrations"));
  await writeFile(join(directory, "migrations/1_start.sql"), migration);
  return () => openDatabase({ dataDir: directory, databaseUrl: undefined, supabaseDir: directory, log: testLog });
}

test("the embedded database has the extensions that the migrations name, also when it is opened again", async () => {
  const open = await project("create extension citext; create extension if not exists pg_trgm with schema public;");
  const first = await open();
  await first.transaction((tx) =>
    tx.script("create extension citext; create extension pg_trgm; create table t (a citext); insert into t values ('Ada')"),
  );
  await first.close();
  const second = await open();
  const find = (tx: Parameters<Parameters<Database["transaction"]>[0]>[0]) =>
    tx.query("select a, a % 'adar' as alike from t where a = 'ADA'");
  expect(await second.transaction(find)).toEqual([{ a: "Ada", alike: true }]);
  await second.close();
});

test("an extension that no migration names is not loaded", async () => {
  expect(extensionsNamed([{ path: "1.sql", text: "create table t (a text)" }])).toEqual([]);
  const database = await (await project("select 1;"))();
  const created = database.transaction((tx) => tx.script("create extension citext"));
  await expect(created).rejects.toMatchObject({ code: "0A000" });
  await database.close();
});
