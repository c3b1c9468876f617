import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestPostgres, describeDatabases, testLog } from "../../../test/database.ts";
import { readConfig } from "../../config/config.ts";
import type { Database, Row } from "../database.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "../postgres/postgres.ts";

let supabaseDir: string;
beforeEach(async () => {
  supabaseDir = await mkdtemp(join(tmpdir(), "larkfell-project-"));
  await write({ "config.toml": "" });
});
afterEach(() => rm(supabaseDir, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(supabaseDir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function run(database: Database, log = testLog): Promise<void> {
  await migrate(database, { supabaseDir, config: await readConfig(supabaseDir), log });
}

function select(database: Database, text: string): Promise<Row[]> {
  return database.transaction((tx) => tx.query(text));
}

const ONE = "create table one (id int);\n";
const TWO = "create table two (id int);\ninsert into one values (1);\n";

describeDatabases("migrating", (open) => {
  test("prepares an empty database: the platform, then the project's migrations in order, then its seed, each once", async () => {
    const database = await open({ platform: false });
    await write({
      "migrations/20260102_two.sql": TWO,
      "migrations/20260101_one.sql": ONE,
      "migrations/README.md": "no",
      "seed.sql": "insert into two values (7)",
    });
    await run(database);
    await run(database);
    expect(await select(database, "select (select count(*) from one) as one, (select array_agg(id) from two) as two")).toEqual([
      { one: 1, two: [7] },
    ]);
    expect(await select(database, "select version, name, statements from supabase_migrations.schema_migrations order by 1")).toEqual([
      { version: "20260101", name: "one", statements: [ONE] },
      { version: "20260102", name: "two", statements: [TWO] },
    ]);
    expect(await select(database, "select path, length(hash) as length from supabase_migrations.seed_files")).toEqual([
      { path: "seed.sql", length: 64 },
    ]);
    expect(await select(database, "select count(*) > 0 as platform from auth.schema_migrations")).toEqual([{ platform: true }]);
  });

  test("applies added migrations and logs their names", async () => {
    const database = await open();
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
    await write({ "migrations/20260101_one.sql": ONE });
    await run(database);
    await write({ "migrations/20260102_two.sql": TWO });
    await run(database, log);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: "applied", file: join(supabaseDir, "migrations/20260102_two.sql") },
    ]);
  });

  test("announces that the schema changed", async () => {
    const database = await open();
    const received: string[] = [];
    await database.listen("pgrst", (payload) => received.push(payload));
    await write({ "migrations/20260101_one.sql": ONE });
    await run(database);
    await run(database);
    expect(received).toEqual(["reload schema"]);
  });

  test("stops at a failing file, names the line, and leaves the database unchanged", async () => {
    const database = await open();
    const broken = "create table two (id int);\n-- ünïcode 🦡\ninsert into one values (1);\n\nselect nothing from nowhere;\n";
    await write({
      "migrations/20260101_one.sql": ONE,
      "migrations/20260102_two.sql": broken,
      "migrations/20260103_three.sql": "create table three ()",
    });
    await expect(run(database)).rejects.toMatchObject({
      name: "MigrationError",
      code: "42P01",
      line: 5,
      file: join(supabaseDir, "migrations/20260102_two.sql"),
      message: expect.stringContaining("20260102_two.sql:5: "),
    });
    expect(await select(database, "select to_regclass('one') as one, to_regclass('two') as two, to_regclass('three') as three")).toEqual([
      { one: null, two: null, three: null },
    ]);
    await write({ "migrations/20260102_two.sql": TWO });
    await run(database);
    expect(await select(database, "select count(*) from one")).toEqual([{ count: 1 }]);
  });

  test("names the file of an error at commit or without a line", async () => {
    const database = await open();
    await write({
      "migrations/1_deferred.sql":
        "create table p (id int primary key, parent int references p deferrable initially deferred); insert into p values (1, 2)",
    });
    await expect(run(database)).rejects.toMatchObject({ name: "MigrationError", code: "23503", line: null });
    await write({ "migrations/1_deferred.sql": "select 1/0" });
    await expect(run(database)).rejects.toMatchObject({ name: "MigrationError", code: "22012", line: null });
  });

  test("refuses a migration that was changed after it was applied, except for white space", async () => {
    const database = await open();
    await write({ "migrations/20260101_one.sql": ONE });
    await run(database);
    await write({ "migrations/20260101_one.sql": "\ncreate table one (\n  id int\n)" });
    await run(database);
    await write({ "migrations/20260101_one.sql": "create table one (id bigint);" });
    await expect(run(database)).rejects.toMatchObject({ code: "migration_changed", message: expect.stringContaining("20260101_one.sql") });
  });

  test("accepts migrations that the Supabase CLI recorded statement by statement", async () => {
    const database = await open({
      scripts: [
        `create table if not exists supabase_migrations.schema_migrations (version text not null primary key, statements text[], name text);
         create table one (id int); create table two (id int);
         insert into supabase_migrations.schema_migrations values ('20260101', array['create table one (id int)', 'create table two (id int)'], 'both'), ('20260102', null, 'repaired')`,
      ],
    });
    await write({
      "migrations/20260101_both.sql": "create table one (id int);\ncreate table two (id int);\n",
      "migrations/20260102_repaired.sql": "select 1",
    });
    await expect(run(database)).resolves.toBeUndefined();
  });

  test("refuses a migration older than an applied one", async () => {
    const database = await open();
    await write({ "migrations/20260102_two.sql": ONE });
    await run(database);
    await write({ "migrations/20260101_late.sql": "create table late ()" });
    await expect(run(database)).rejects.toMatchObject({
      code: "migration_out_of_order",
      message: expect.stringContaining("20260101_late.sql"),
    });
  });

  test("refuses two migrations of the same version", async () => {
    const database = await open();
    await write({ "migrations/20260101_one.sql": ONE, "migrations/20260101_two.sql": TWO });
    await expect(run(database)).rejects.toMatchObject({
      code: "migration_repeated",
      message: expect.stringContaining("20260101_two.sql"),
    });
  });

  test("refuses a file that ends its transaction, and resets a file's settings", async () => {
    const database = await open();
    await write({ "migrations/1_settings.sql": "set search_path = ''; set statement_timeout = '1h'; set role anon;" });
    await run(database);
    expect(await select(database, "select current_setting('statement_timeout') as timeout, current_user = session_user as same")).toEqual([
      { timeout: "0", same: true },
    ]);
    await write({ "migrations/2_commit.sql": "create table two (); commit; begin; create table three ();" });
    await expect(run(database)).rejects.toMatchObject({ code: "migration_ends_transaction" });
  });

  test("applies seeds by path and pattern in order, each once, and none if seeding is off", async () => {
    const database = await open();
    await write({
      "config.toml": '[db.seed]\nsql_paths = ["./first.sql", "./seeds/*.sql", "./first.sql"]\n',
      "migrations/1_seen.sql": "create table seen (id int generated always as identity, name text)",
      "first.sql": "insert into seen (name) values ('first')",
      "seeds/b.sql": "insert into seen (name) values ('b')",
      "seeds/a.sql": "insert into seen (name) values ('a')",
    });
    await run(database);
    await write({ "seeds/a.sql": "insert into seen (name) values ('a again')", "seeds/c.sql": "insert into seen (name) values ('c')" });
    await run(database);
    expect(await select(database, "select array_agg(name order by id) as names from seen")).toEqual([{ names: ["first", "a", "b", "c"] }]);

    const unseeded = await open();
    await write({ "config.toml": "[db.seed]\nenabled = false\n", "seed.sql": "select 1/0" });
    await run(unseeded);
    expect(await select(unseeded, "select count(*) from seen")).toEqual([{ count: 0 }]);
  });
});

describe.skipIf(inject("postgres") === null)("migrating a Postgres database", () => {
  test("is safe for processes that start at the same time", async () => {
    const { url, remove } = await createTestPostgres({ platform: false });
    await write({ "migrations/20260101_one.sql": ONE, "migrations/20260102_two.sql": TWO, "seed.sql": "insert into two values (7)" });
    const databases = await Promise.all([1, 2, 3, 4].map(() => openPostgres({ url, poolSize: 2, log: testLog })));
    await Promise.all(databases.map((database) => run(database)));
    const [database] = databases;
    expect(
      database && (await select(database, "select (select count(*) from one) as one, (select array_agg(id) from two) as two")),
    ).toEqual([{ one: 1, two: [7] }]);
    await Promise.all(databases.map((each) => each.close()));
    await remove();
  });
});
