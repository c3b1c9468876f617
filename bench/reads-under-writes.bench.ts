import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { createPostgresDatabase } from "../backend/test/postgres/databases.ts";
import { startPostgresServer } from "../backend/test/postgres/server.ts";
import { startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { load, median } from "./load.ts";
import { PATH } from "./read-dates.ts";

const INSERTS_PER_SECOND = 200;
const ROUNDS = 3;
const SECONDS = 4;
const BAR = 3;
const MOST_MEGABYTES = 300;

/** Measures the whole product on one database. */
async function measure(name: string, databaseUrl: string | null): Promise<void> {
  await using directory = await temporaryDirectory();
  const database = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
  const site = await startProcess("server/build/site.js", { DATA_DIR: directory.path, LOG_LEVEL: "silent", ...database });
  try {
    const keys: { publishableKey: string; secretKey: string } = JSON.parse(await readFile(join(directory.path, "secrets.json"), "utf8"));
    const read = () => load(site.url + PATH, { seconds: SECONDS, headers: { apikey: keys.publishableKey } });
    const rounds: { idle: number; busy: number; inserts: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await read();
      const [busy, inserts] = await Promise.all([read(), insert(site.url, keys.secretKey)]);
      if (idle.failures + busy.failures > 0) throw new Error(`${idle.failures + busy.failures} reads failed`);
      rounds.push({ idle: idle.p99, busy: busy.p99, inserts });
    }
    const ratio = median(rounds.map(({ idle, busy }) => busy / idle));
    const all = rounds.map(({ idle, busy, inserts }) => `${busy}/${idle} ms at ${inserts}/s`).join(", ");
    console.log(`  ${name}: p99 of reads ${ratio.toFixed(1)} of the idle one (bar ${BAR}; rounds ${all})`);
    if (databaseUrl === null) console.log(`  ${name}: ${await megabytesOf(directory.path)} MB resident afterwards (bar ${MOST_MEGABYTES})`);
  } finally {
    await site.stop();
  }
}

/** Inserts while the reads run, and returns the acknowledged inserts per second. */
async function insert(url: string, key: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: `${url}/rest/v1/course_dates`,
    method: "POST",
    headers: { apikey: key, "Content-Type": "application/json" },
    body: JSON.stringify({ course_name: "Lvl 2 CCTV", course_date: "2027-06-01T09:00:00Z" }),
    connections: 8,
    overallRate: INSERTS_PER_SECOND,
    duration: SECONDS + 1,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} inserts failed`);
  return Math.round(requests.average);
}

async function megabytesOf(dataDir: string): Promise<number> {
  const { pid }: { pid: number } = JSON.parse(await readFile(join(dataDir, "database/process.json"), "utf8"));
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Math.round(Number(stdout) / 1024);
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
