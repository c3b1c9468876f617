import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../backend/src/db/database.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { openPostgres } from "../backend/src/db/postgres/postgres.ts";
import { createLog } from "../server/log.ts";
import { createPostgresDatabase } from "../backend/test/postgres-databases.ts";
import { startPostgresServer } from "../backend/test/postgres-server.ts";
import { median } from "./load.ts";
import { makeHistory, PATHS } from "./visits-history.ts";

// The statistics of 30 days after two years of 1 and 10 million views. MILLIONS=1,10,100 takes half an hour and 20 GB.
const MILLION = 1_000_000;
const POSTGRES_SIZES = (process.env["MILLIONS"] ?? "1,10").split(",").map(Number);
const PGLITE_SIZES = [1, 5];
const ROUNDS = 60;
const BAR_RATIO = 1.5;
const BAR_MS = 50;

const TODAY = "(now() at time zone 'Europe/London')::date";
const STATS = `select private.sum_views(${TODAY} - 29, ${TODAY}) as sums`;
const YEAR = `select private.sum_views(${TODAY} - 364, ${TODAY}) as sums`;
const NAIVE = `select count(distinct session)::integer as visitors, count(*)::integer as views from raw_views where day >= ${TODAY} - 29`;

const log = createLog("warn");

async function measure(name: string, sizes: readonly number[], open: (size: number) => Promise<Database>): Promise<void> {
  const histories: { size: number; database: Database; times: number[] }[] = [];
  for (const size of sizes) {
    const database = await open(size);
    const started = performance.now();
    const bytes = await makeHistory(database, size * MILLION);
    const seconds = Math.round((performance.now() - started) / 1000);
    const { naive, year } = await check(database);
    console.log(
      `  ${name}, ${size} million views, ${PATHS} paths (made in ${seconds} s): ${bytes.store.toFixed(1)} bytes a view (${bytes.raw.toFixed(1)} as rows of three numbers); naive count(distinct) ${naive.toFixed(0)} ms; 365 days ${year.toFixed(0)} ms`,
    );
    histories.push({ size, database, times: [] });
  }
  // In turns, so that whatever else the machine does falls on all of them alike.
  for (let round = 0; round < ROUNDS + 5; round += 1) {
    for (const { database, times } of histories) {
      const ms = await timed(database, STATS);
      if (round >= 5) times.push(ms);
    }
  }
  const smallest = median(histories[0]?.times ?? []);
  for (const { size, database, times } of histories) {
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    console.log(
      `  ${name}, ${size} million: 30 days in ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (bar ${BAR_MS}), ${(median(times) / smallest).toFixed(2)} of the smallest (bar ${BAR_RATIO})`,
    );
    await database.close();
  }
}

/** Compares the sums with those counted from single views, and says how long that and a whole year took, in milliseconds. */
async function check(database: Database): Promise<{ naive: number; year: number }> {
  const [[ours], [counted]] = await database.transaction(async (tx) => [await tx.query(STATS), await tx.query(NAIVE)]);
  const sums: unknown = typeof ours?.["sums"] === "string" ? JSON.parse(ours["sums"]) : ours?.["sums"];
  const expected = { uniqueVisitors: counted?.["visitors"], totalPageViews: counted?.["views"] };
  const got = sums !== null && typeof sums === "object" ? { ...expected, ...sums } : {};
  for (const [field, value] of Object.entries(expected)) {
    if (Reflect.get(got, field) !== value) throw new Error(`${field}: ${String(Reflect.get(got, field))} instead of ${String(value)}`);
  }
  return { naive: await timed(database, NAIVE), year: await timed(database, YEAR) };
}

async function timed(database: Database, statement: string): Promise<number> {
  const started = performance.now();
  await database.transaction((tx) => tx.query(statement), { readOnly: true });
  return performance.now() - started;
}

const server = await startPostgresServer();
if (server) {
  try {
    await measure("Postgres", POSTGRES_SIZES, async (size) =>
      openPostgres({ url: await createPostgresDatabase(server.url("postgres"), `views_${size}`), poolSize: 1, log }),
    );
  } finally {
    await server.remove();
  }
} else console.log("  Postgres: no server can run here");

const directory = await mkdtemp(join(tmpdir(), "larkfell-bench-"));
try {
  await measure("PGlite", PGLITE_SIZES, (size) => openPglite({ dataDir: join(directory, String(size)), log }));
} finally {
  await rm(directory, { recursive: true, force: true });
}
