import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestPostgres, openTestPglite, testLog } from "../../test/database.ts";
import { TEMPORARY_FILES } from "../../test/temporary-files.ts";
import { readConfig } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate/migrate.ts";
import { openPostgres } from "../db/postgres/postgres.ts";
import { checkArchive } from "./archive-reader.ts";
import { makeBackup } from "./backup.ts";
import type { Manifest } from "./manifest.ts";
import { restoreDatabase } from "./restore.ts";

const MIGRATION = `
  create table public.courses (id integer primary key, name text);
  create table public.visits (id integer primary key, name text);
  insert into public.courses select n, 'course ' || n from generate_series(1, 500) n;
  insert into public.visits select n, 'visit ' || n from generate_series(1, 500) n;`;

describe.skipIf(inject("postgres") === null)("a backup beside a migration of another process", () => {
  let cleanup: AsyncDisposableStack;
  let directory: string;
  let supabaseDir: string;
  let database: Database;
  let migration: pg.Client;

  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-beside-")), (path) => rm(path, { recursive: true }));
    supabaseDir = join(directory, "supabase");
    await mkdir(join(supabaseDir, "migrations"), { recursive: true });
    await writeFile(join(supabaseDir, "config.toml"), "");
    await writeFile(join(supabaseDir, "migrations/20260101000000_tables.sql"), MIGRATION);
    const { url, remove } = await createTestPostgres();
    cleanup.defer(remove);
    database = cleanup.adopt(await openPostgres({ url, poolSize: 1, log: testLog }), (opened) => opened.close());
    await migrate(database, { supabaseDir, config: await readConfig(supabaseDir, { log: testLog }), log: testLog });
    migration = cleanup.adopt(new pg.Client({ connectionString: url }), (client) => client.end());
    await migration.connect();
    // The backup is the one that Postgres ends to resolve a deadlock, because it looks for one first.
    await migration.query("set deadlock_timeout = '30s'; begin");
  });
  afterEach(() => cleanup.disposeAsync());

  /** Begins a backup and waits until a lock of the migration stops it. */
  async function beginBackup(): Promise<{ file: string; made: Promise<Manifest> }> {
    const file = join(directory, "backup.tar");
    const made = makeBackup({ file, database, bytes: null, secrets: null, program: "test" });
    made.catch(() => undefined);
    await expect.poll(async () => (await migration.query(WAITING)).rowCount, { interval: 5, timeout: 10_000 }).toBe(1);
    return { file, made };
  }

  async function countRestored(file: string): Promise<unknown> {
    const restored = cleanup.adopt(await openTestPglite({ platform: false }), (opened) => opened.close());
    await restoreDatabase({ file, manifest: await checkArchive(file), database: restored, supabaseDir, log: testLog });
    return restored.transaction((tx) => tx.query(COUNTS));
  }

  test("has each row once if Postgres ends it to resolve a deadlock", async () => {
    await migration.query("lock table public.visits in access exclusive mode");
    const { file, made } = await beginBackup();
    await migration.query("lock table public.courses in access exclusive mode");
    await migration.query("commit");
    await made;
    expect(await countRestored(file)).toEqual([{ courses: 500, visits: 500 }]);
  });

  test("has the rows of a table that the migration rewrites", async () => {
    await migration.query("alter table public.visits alter column name type text using upper(name)");
    const { file, made } = await beginBackup();
    await migration.query("commit");
    await made;
    expect(await countRestored(file)).toEqual([{ courses: 500, visits: 500 }]);
  });

  test("has the other tables if the migration drops one", async () => {
    await migration.query("drop table public.visits");
    const { made } = await beginBackup();
    await migration.query("commit");
    const { tables } = await made;
    expect(tables.filter(({ schema }) => schema === "public")).toMatchObject([{ name: "courses", rows: 500 }]);
  });
});

const WAITING = `select from pg_locks join pg_database d on d.oid = database
  where datname = current_database() and locktype = 'relation' and not granted and pid <> pg_backend_pid()`;
const COUNTS = `select (select count(*)::integer from public.courses) as courses,
  (select count(distinct upper(name))::integer from public.visits) as visits`;
