import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../backend/src/db/database.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { openPostgres } from "../backend/src/db/postgres/postgres.ts";
import { createBackend } from "../backend/src/index.ts";
import { createLog } from "../server/log.ts";
import { readOrCreateSecrets } from "../server/environment/secrets.ts";
import { createPostgresDatabase } from "../backend/test/postgres/databases.ts";
import { startPostgresServer } from "../backend/test/postgres/server.ts";
import { median } from "./load.ts";

// Page views per second through the function with 64 callers, on a database that syncs each commit to the disk (bar: 1,000), and the
// time of the statistics of 365 days with few and with a hundred million page views on 60 pages (bar: the same).
const CALLERS = 64;
const ROUND_MS = 3000;
const BAR = 1000;
const PAGES = ["/", "/cctv", "/blog", "/first-aid", "/close-protection", "/door-supervisor", "/manual-handling", "/security-officer"];

const log = createLog("warn");

async function measure(name: string, database: Database, dataDir: string): Promise<void> {
  const secrets = await readOrCreateSecrets({ DATA_DIR: dataDir });
  const url = "http://127.0.0.1";
  const backend = await createBackend({ supabaseDir: join(import.meta.dirname, "../supabase"), database, secrets, url, log });
  let acknowledged = 0;

  async function recordView(): Promise<void> {
    const random = Math.floor(Math.random() * 1e9);
    // A new visitor in one of three views.
    const session_id = random % 3 === 0 ? crypto.randomUUID() : `00000000-0000-4000-8000-${String(random % 5000).padStart(12, "0")}`;
    const body = JSON.stringify({ page_path: PAGES[random % PAGES.length], session_id });
    const headers = { apikey: secrets.publishableKey, "Content-Length": String(body.length) };
    const request = new Request(`${url}/functions/v1/record-page-view`, { method: "POST", headers, body });
    const clientAddress = `10.${random % 250}.${(random >> 8) % 250}.${(random >> 16) % 250}`;
    const answer = await backend.fetch(request, { clientAddress });
    if (answer.status !== 201) throw new Error(`status ${answer.status}`);
    acknowledged += 1;
  }

  async function statsMs(): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const started = performance.now();
      await database.transaction((tx) => tx.query("select * from private.visit_sums(private.today() - 364, private.today())"));
      times.push(performance.now() - started);
    }
    return median(times);
  }

  await perSecond(recordView);
  console.log(`  ${name}: ${Math.round(await perSecond(recordView))} views/s through the function (bar ${BAR})`);
  const [sum] = await database.transaction((tx) =>
    tx.query("select sum(count)::integer as total from private.visit_counts where kind = 'page'"),
  );
  if (sum?.["total"] !== acknowledged) throw new Error(`${String(sum?.["total"])} views were counted of ${acknowledged}`);

  const fill = (count: number): Promise<void> =>
    database.transaction((tx) =>
      tx.script(`insert into private.visit_counts (day, kind, name, count)
        select private.today() - d, 'page', '/page-' || p, ${count} from generate_series(0, 364) d, generate_series(1, 60) p
        on conflict (day, kind, name) do update set count = excluded.count;
        analyze private.visit_counts`),
    );
  await fill(1);
  const few = await statsMs();
  await fill(5000);
  console.log(
    `  ${name}: statistics of a year in ${few.toFixed(1)} ms with 22 thousand views, ${(await statsMs()).toFixed(1)} ms with 110 million`,
  );
  await backend.close();
}

/** The calls of `work` per second by all callers together. */
async function perSecond(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() - started < ROUND_MS) {
        await work();
        done += 1;
      }
    }),
  );
  return (1000 * done) / (performance.now() - started);
}

const directory = await mkdtemp(join(tmpdir(), "larkfell-bench-"));
try {
  await measure("PGlite", await openPglite({ dataDir: join(directory, "database"), log }), directory);
  const server = await startPostgresServer({ durable: true });
  if (server) {
    try {
      const url = await createPostgresDatabase(server.url("postgres"), "visits");
      await measure("Postgres", await openPostgres({ url, log }), directory);
    } finally {
      await server.remove();
    }
  } else console.log("  Postgres: no server can run here");
} finally {
  await rm(directory, { recursive: true, force: true });
}
