import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeDatabases, prepareDataDirectory, testLog } from "../../../test/database.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";
import { checkArchive } from "../../backup/archive-reader.ts";
import { createUpgradeCopy } from "../../backup/upgrade-copy.ts";
import { readConfig } from "../../config/config.ts";
import type { Database, Row } from "../database.ts";
import type { UpgradeCopy } from "./keep-copy.ts";
import { migrate, type MigrateOptions } from "./migrate.ts";
import { openPglite } from "../pglite/pglite.ts";

const MB = 1024 * 1024;
const ONE = "create table one (id int, name text); insert into one values (1, 'first');";
const TWO = "create table two (id int); update one set name = 'changed';";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-upgrade-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs a version of a program that has these migrations. */
async function run(database: Database, program: string, migrations: readonly string[], more: Partial<MigrateOptions> = {}): Promise<void> {
  const supabaseDir = join(directory, program);
  await mkdir(join(supabaseDir, "migrations"), { recursive: true });
  await writeFile(join(supabaseDir, "config.toml"), "");
  for (const [index, text] of migrations.entries()) await writeFile(join(supabaseDir, `migrations/2026010${index}_part.sql`), text);
  await migrate(database, { supabaseDir, config: await readConfig(supabaseDir), program, log: testLog, ...more });
}

function select(database: Database, text: string): Promise<Row[]> {
  return database.transaction((tx) => tx.query(text));
}

const stateOf = (database: Database): Promise<Row[]> => select(database, "select name, to_regclass('two') as two from one");
const BEFORE = [{ name: "first", two: null }];
const AFTER = [{ name: "changed", two: "two" }];

describeDatabases("an upgrade", (open, kind) => {
  test("is undone as a whole if the last statement of a migration fails, and the line names the version to run", async () => {
    const database = await open();
    await run(database, "1.0.0", [ONE]);
    const failing = run(database, "1.1.0", [ONE, TWO, "alter table two add column day date;\nselect\n  1 / 0;"]);
    await expect(failing).rejects.toMatchObject({
      code: "upgrade_failed",
      message: expect.stringMatching(
        /^The upgrade to version 1\.1\.0 failed and was undone: all data are as before\. Run version 1\.0\.0 again\. The reason: .*20260102_part\.sql.*division by zero \(22012\)$/,
      ),
    });
    expect(await stateOf(database)).toEqual(BEFORE);
    await run(database, "1.0.0", [ONE]);
    await run(database, "1.1.1", [ONE, TWO]);
    expect(await stateOf(database)).toEqual(AFTER);
  });

  test("is undone if a view or a policy fails in the self-test", async () => {
    const database = await open();
    const policy = "grant select on one to authenticated; alter table one enable row level security;";
    await run(database, "1.0.0", [ONE, policy]);
    for (const broken of [
      "create view half as select 1 / (id - 1) as half from one; grant select on half to anon;",
      "create policy reading on one for select to authenticated using (1 / (id - 1) > 0);",
    ]) {
      await expect(run(database, "1.1.0", [ONE, policy, TWO, broken])).rejects.toMatchObject({ code: "upgrade_failed" });
      expect(await stateOf(database)).toEqual(BEFORE);
    }
    await run(database, "1.1.1", [ONE, policy, TWO, "create policy reading on one for select to authenticated using (id > 0);"]);
    expect(await stateOf(database)).toEqual(AFTER);
  });

  test.skipIf(kind === "pglite")(
    "keeps a backup of the former rows, without which it is not begun, and a start without new migrations makes none",
    async () => {
      const database = await open();
      const target = join(directory, "copy");
      const other = { ...database, close: () => Promise.resolve() };
      const copy = (connect: () => Promise<Database>): UpgradeCopy => createUpgradeCopy({ directory: target, connect }, other, "test");
      await run(database, "1.0.0", [ONE]);
      const failing = run(database, "1.1.0", [ONE, TWO], { copy: copy(() => Promise.reject(new Error("no connection"))) });
      await expect(failing).rejects.toMatchObject({
        code: "upgrade_no_copy",
        message: "The upgrade to version 1.1.0 was not begun: The copy of the database failed: no connection. Run version 1.0.0 again.",
      });
      expect(await stateOf(database)).toEqual(BEFORE);
      expect(await readdir(directory)).not.toContain("copy");
      await run(database, "1.1.0", [ONE, TWO], { copy: copy(() => Promise.resolve(other)) });
      const { tables, migrations } = await checkArchive(join(target, "database.tar"));
      expect(migrations.project).toEqual(["20260100"]);
      expect(tables).toContainEqual(expect.objectContaining({ name: "one", rows: 1 }));
      expect(await stateOf(database)).toEqual(AFTER);
      await rm(target, { recursive: true });
      await run(database, "1.1.1", [ONE, TWO], { copy: copy(() => Promise.resolve(other)) });
      expect(await readdir(directory)).not.toContain("copy");
    },
  );

  test("is refused by an older version of the program, in a line that names the newer one", async () => {
    const database = await open();
    await run(database, "1.0.0", [ONE]);
    await run(database, "1.1.0", [ONE, TWO]);
    await expect(run(database, "1.0.0", [ONE])).rejects.toMatchObject({
      code: "upgrade_newer",
      message: expect.stringMatching(
        /^The database was changed by version 1\.1\.0 of the program, and this version, 1\.0\.0, .*20260101.*$/,
      ),
    });
    await run(database, "1.1.0", [ONE, TWO]);
  });
});

describe("an upgrade of a data directory", () => {
  let database: Database;
  let copy: UpgradeCopy;
  let free = Infinity;
  beforeEach(async () => {
    free = Infinity;
    prepareDataDirectory(join(directory, "data"));
    database = await openPglite({ dataDir: join(directory, "data/database"), freeBytes: () => free, log: testLog });
    copy = createUpgradeCopy(
      { directory: join(directory, "data/before-upgrade"), connect: () => Promise.reject(new Error("unused")) },
      database,
      "test",
    );
    await run(database, "1.0.0", [ONE], { copy });
  });
  afterEach(() => database.close());

  test("keeps a copy with which the earlier version starts, and a start without new migrations makes none", async () => {
    await run(database, "1.0.1", [ONE], { copy });
    expect(await readdir(join(directory, "data"))).toEqual(["database"]);
    await run(database, "1.1.0", [ONE, TWO], { copy });
    expect(await readdir(join(directory, "data"))).toEqual(["before-upgrade", "database"]);
    await cp(copy.directory, join(directory, "earlier"), { recursive: true });
    const earlier = await openPglite({ dataDir: join(directory, "earlier/database"), log: testLog });
    await run(earlier, "1.0.1", [ONE]);
    expect(await stateOf(earlier)).toEqual(BEFORE);
    await earlier.close();
    expect(await stateOf(database)).toEqual(AFTER);
  });

  test("is refused before anything changes if the disk has no space for the copy", async () => {
    await database.transaction((tx) => tx.query("insert into one values (2, 'second')"));
    free = 70 * MB;
    await expect(run(database, "1.1.0", [ONE, TWO], { copy })).rejects.toMatchObject({
      code: "upgrade_no_space",
      message: expect.stringMatching(
        /^The upgrade to version 1\.1\.0 was not begun: A copy of the database needs \d+ MB of disk space, and \d+ MB are missing\. Free some space, or run version 1\.0\.0 again\.$/,
      ),
    });
    expect(await select(database, "select count(*), to_regclass('two') as two from one")).toEqual([{ count: 2, two: null }]);
    expect(await readdir(join(directory, "data"))).toEqual(["database"]);
  });
});
