import { expect, onTestFinished, test, vi } from "vitest";
import { openTestPglite } from "../../../test/database.ts";
import type { Database } from "../database.ts";

const MB = 1024 * 1024;

async function maintain({ jobs = [] }: Database): Promise<void> {
  for (const job of jobs) await job.run();
}

async function read(database: Database, text: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.transaction((tx) => tx.query(text), { readOnly: true });
  return row;
}

test("the scheduled job vacuums and analyzes tables that changed much, and checkpoints", async () => {
  const database = await openTestPglite();
  const redo = (): Promise<unknown> => read(database, "select redo_lsn::text from pg_control_checkpoint()");
  await database.transaction((tx) => tx.script("create table changed (id int); create table unchanged (id int)"));
  await database.transaction((tx) => tx.script("insert into unchanged select generate_series(1, 10)"));
  await database.transaction((tx) => tx.script("insert into changed select generate_series(1, 1000)"));
  await database.transaction((tx) => tx.script("delete from changed where id > 500"));
  const before = await redo();
  await maintain(database);
  expect(await redo()).not.toEqual(before);
  const rows = "select reltuples::int from pg_class where relname =";
  expect([await read(database, `${rows} 'changed'`), await read(database, `${rows} 'unchanged'`)]).toEqual([
    { reltuples: 500 },
    { reltuples: -1 },
  ]);
  await database.close();
});

test("the scheduled job vacuums a table of many rows long before a fifth of them has changed", async () => {
  const database = await openTestPglite();
  await database.transaction((tx) =>
    tx.script("create table filled as select generate_series(1, 60000) as id; create table changed as select * from filled"),
  );
  await maintain(database);
  const vacuums = "select vacuum_count::int as count from pg_stat_user_tables where relname =";
  const before = await read(database, `${vacuums} 'changed'`);
  await database.transaction((tx) => tx.script("delete from changed where id <= 6000; delete from filled where id <= 4000"));
  await maintain(database);
  // A fifth would be 12,000 rows.
  expect([await read(database, `${vacuums} 'changed'`), await read(database, `${vacuums} 'filled'`)]).toEqual([
    { count: Number(before?.["count"]) + 1 },
    before,
  ]);
  await database.close();
});

test("other requests run between the tables that the scheduled job vacuums", async () => {
  const database = await openTestPglite();
  const tables = Array.from({ length: 8 }, (_, index) => `busy_${index}`);
  for (const table of tables) {
    await database.transaction((tx) => tx.script(`create table ${table} as select generate_series(1, 5000) as id; delete from ${table}`));
  }
  const maintaining = maintain(database).then(() => "maintained");
  let served = 0;
  const serve = async (): Promise<string> => {
    await read(database, "select 1");
    served += 1;
    return "served";
  };
  while ((await Promise.race([serve(), maintaining])) === "served");
  expect(served).toBeGreaterThan(tables.length);
  await database.close();
});

test("heavy writing causes checkpoints, so that the write-ahead log stays small", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const database = await openTestPglite();
  // A message in the log alone, which takes less computation than rows.
  const write = "select pg_logical_emit_message(true, 'test', repeat('x', 1000000)) from generate_series(1, 10)";
  const logged = async (): Promise<number> =>
    Number((await read(database, "select sum(size)::float8 as bytes from pg_ls_waldir()"))?.["bytes"]) / MB;
  let largest = 0;
  let total = 0;
  const before = await read(database, "select pg_current_wal_insert_lsn()::text as lsn");
  while (total < 240) {
    // A fast machine writes all of it before the next look at the log, a second later.
    vi.advanceTimersByTime(1000);
    for (let count = 0; count < 4; count += 1) await database.transaction((tx) => tx.query(write));
    largest = Math.max(largest, await logged());
    const row = await read(database, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${String(before?.["lsn"])}')::float8 as bytes`);
    total = Number(row?.["bytes"]) / MB;
  }
  expect(largest).toBeLessThan(160);
  await database.close();
});
