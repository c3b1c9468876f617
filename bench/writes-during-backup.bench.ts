import { once } from "node:events";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase } from "../backend/test/postgres/databases.ts";
import { startPostgresServer } from "../backend/test/postgres/server.ts";
import { collectOutput, spawnEntry } from "../backend/test/server-process.ts";
import { startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { drive, type Load, median } from "./load.ts";

// p99 of 200 writes a second while backups are made one after the other, against the same writes alone.

const WRITES_PER_SECOND = 200;
const ROUNDS = 3;
const SECONDS = 8;
const BAR = 3;
/** Rows that a backup has to write, with 500 characters each. */
const ROWS = 20_000;
const ROWS_AT_ONCE = 5000;

async function measure(name: string, databaseUrl: string | null): Promise<void> {
  await using directory = await temporaryDirectory();
  const env = {
    DATA_DIR: join(directory.path, "data"),
    LOG_LEVEL: "error",
    BACKUP_PASSPHRASE: "words of a passphrase",
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const site = await startProcess("server/build/site.js", env);
  try {
    const { secretKey: apikey }: { secretKey: string } = JSON.parse(await readFile(join(env.DATA_DIR, "secrets.json"), "utf8"));
    const headers = { apikey, "Content-Type": "application/json" };
    await fill(site.url, headers);
    const body = JSON.stringify({ course_name: "Lvl 2 CCTV", course_date: "2027-06-01T09:00:00Z" });
    const write = (seconds: number): Promise<Load> =>
      drive({ url: `${site.url}/rest/v1/course_dates`, method: "POST", headers, body, rate: WRITES_PER_SECOND, connections: 8, seconds });
    await write(2);
    const rounds: { idle: Load; busy: Load; backups: number; ms: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await write(SECONDS);
      const stop = new AbortController();
      const backups = backUpUntil(stop.signal, { ...env, PORT: new URL(site.url).port }, join(directory.path, "backup.tar"));
      const busy = await write(SECONDS);
      stop.abort();
      rounds.push({ idle, busy, ...(await backups) });
    }
    const failures = rounds.reduce((sum, { idle, busy }) => sum + idle.failures + busy.failures, 0);
    const ratio = median(rounds.map(({ idle, busy }) => busy.p99 / idle.p99));
    const all = rounds.map(
      ({ idle, busy, backups, ms }) => `${busy.p99}/${idle.p99} ms at ${busy.perSecond}/s, ${backups} backups of ${Math.round(ms)} ms`,
    );
    console.log(`  ${name}: p99 of writes ${ratio.toFixed(1)} of the idle one (bar ${BAR}), ${failures} failed (bar 0)`);
    for (const line of all) console.log(`    ${line}`);
  } finally {
    await site.stop();
  }
}

async function fill(url: string, headers: Record<string, string>): Promise<void> {
  for (let from = 0; from < ROWS; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => ({
      name: `Person ${from + index}`,
      reply_to: `person-${from + index}@mail.example`,
      message: `Is there a place in May? ${(from + index) ** 3} `.repeat(12),
    }));
    const response = await fetch(`${url}/rest/v1/enquiries`, { method: "POST", headers, body: JSON.stringify(rows) });
    if (!response.ok) throw new Error(await response.text());
  }
}

/** Makes backups until the signal aborts, and at least one; returns their number and the time of one. */
async function backUpUntil(signal: AbortSignal, env: Record<string, string>, file: string): Promise<{ backups: number; ms: number }> {
  const started = performance.now();
  let backups = 0;
  do {
    const child = spawnEntry("operations/larkfell.ts", env, [], ["backup", file]);
    const output = collectOutput(child);
    await once(child, "close");
    if (child.exitCode !== 0 || (await stat(file)).size < ROWS) throw new Error(output());
    await rm(file);
    backups += 1;
  } while (!signal.aborted);
  return { backups, ms: (performance.now() - started) / backups };
}

await measure("PGlite", null);
const server = await startPostgresServer({ durable: true });
if (server) {
  try {
    await measure("Postgres", await createPostgresDatabase(server.url("postgres"), "bench"));
  } finally {
    await server.remove();
  }
} else console.log("  Postgres: no server can run here");
