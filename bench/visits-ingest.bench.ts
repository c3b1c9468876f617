import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "../backend/src/db/database.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { openPostgres } from "../backend/src/db/postgres/postgres.ts";
import { createBackend } from "../backend/src/index.ts";
import { createLog } from "../server/log.ts";
import { readSecrets } from "../server/secrets.ts";
import { createPostgresDatabase } from "../backend/test/postgres-databases.ts";
import { startPostgresServer } from "../backend/test/postgres-server.ts";
import { createRecorder, type CountedView } from "../supabase/functions/record-page-view/recorder.ts";
import { writeViews } from "../supabase/functions/record-page-view/write-views.ts";
import { median } from "./load.ts";

// How many views a second are acknowledged to 64 callers at once, on a database that syncs each commit to the disk, beside one
// insert a transaction and beside inserts of 64 rows, both into a table of single views with the index that statistics of a period need.
// Groups that are put aside are added to the counters by those that come after them, and so within the measured time.
const CALLERS = 64;
const ROUND_MS = 3000;
const ROUNDS = 3;
const BAR_SINGLE = 10;
const BAR_ROWS = 0.5;
const PAGES = ["/", "/cctv", "/blog", "/first-aid", "/close-protection", "/door-supervisor", "/manual-handling", "/security-officer"];

const log = createLog("warn");

async function measure(name: string, database: Database, dataDir: string): Promise<void> {
  const secrets = await readSecrets({ DATA_DIR: dataDir });
  const url = "http://127.0.0.1";
  const supabaseDir = join(import.meta.dirname, "../supabase");
  const backend = await createBackend({ supabaseDir, database, secrets, url, log });
  await database.transaction((tx) =>
    tx.script(`create table plain_views (
        id bigint generated always as identity primary key,
        page_path text not null,
        session_id uuid not null,
        viewed_at timestamptz not null default now()
      );
      create index on plain_views (viewed_at, page_path, session_id)`),
  );
  const service = createClient(url, secrets.secretKey, {
    auth: { persistSession: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
  });
  const recorder = createRecorder({
    write: (views, objections) => writeViews(service, views, objections),
    forget: () => Promise.resolve(),
  });
  const insert = (rows: number): string =>
    `insert into plain_views (page_path, session_id) select * from unnest(string_to_array($1, ','), string_to_array($2, ',')::uuid[]) limit ${rows}`;

  async function insertRows(count: number): Promise<void> {
    const views = Array.from({ length: count }, someView);
    const columns = [views.map((view) => view.page_path).join(","), views.map((view) => view.session_id).join(",")];
    await database.transaction((tx) => tx.query(insert(count), columns));
  }

  let acknowledged = 0;
  const ways: Record<string, () => Promise<number>> = {
    grouped: () =>
      perSecond(CALLERS, async () => {
        if ((await recorder.record(someView())) !== "recorded") throw new Error("a view was not recorded");
        acknowledged += 1;
      }),
    "through the function": () =>
      perSecond(CALLERS, async () => {
        const { page_path, session_id } = someView();
        const body = JSON.stringify({ page_path, session_id });
        const request = new Request(`${url}/functions/v1/record-page-view`, {
          method: "POST",
          headers: { apikey: secrets.publishableKey, "Content-Length": String(body.length) },
          body,
        });
        const answer = await backend.fetch(request, { clientAddress: someAddress() });
        if (answer.status !== 201) throw new Error(`a view was answered ${answer.status}`);
        acknowledged += 1;
      }),
    "one insert a transaction": () => perSecond(CALLERS, () => insertRows(1)),
    "one connection, one insert a transaction": () => perSecond(1, () => insertRows(1)),
    "rows of 64": async () => CALLERS * (await perSecond(1, () => insertRows(CALLERS))),
  };
  const rates = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [way, run] of Object.entries(ways)) {
      const rate = await run();
      // The first round warms up.
      if (round > 0) rates.set(way, [...(rates.get(way) ?? []), rate]);
    }
  }
  const [all] = await database.transaction(async (tx) => {
    await tx.query("select private.count_views_aside()");
    return tx.query("select total::integer from private.view_counters where kind = 'all'");
  });
  if (all?.["total"] !== acknowledged) throw new Error(`${String(all?.["total"])} views were counted of ${acknowledged}`);
  const rate = (way: keyof typeof ways): number => median(rates.get(way) ?? []);
  for (const way of Object.keys(ways)) console.log(`  ${name}, ${way}: ${Math.round(rate(way))} views/s`);
  for (const way of ["grouped", "through the function"]) {
    console.log(
      `  ${name}, ${way}: ${(rate(way) / rate("one connection, one insert a transaction")).toFixed(1)} times one insert a transaction (bar ${BAR_SINGLE}; ` +
        `${(rate(way) / rate("one insert a transaction")).toFixed(1)} where those come on as many connections as there are), ` +
        `${(rate(way) / rate("rows of 64")).toFixed(2)} of inserts of 64 rows (bar ${BAR_ROWS})`,
    );
  }
  await backend.close();
}

/** A view of one of eight pages by somebody new in one visit of three. */
function someView(): CountedView {
  const random = Math.floor(Math.random() * 1e9);
  const page_path = PAGES[random % PAGES.length] ?? "/";
  const session = random % 3 === 0 ? crypto.randomUUID() : `00000000-0000-4000-8000-${String(random % 5000).padStart(12, "0")}`;
  return { page_path, session_id: session, device: random % 2 === 0 ? "phone" : "computer" };
}

function someAddress(): string {
  const random = Math.floor(Math.random() * 1e9);
  return `10.${random % 250}.${(random >> 8) % 250}.${(random >> 16) % 250}`;
}

/** How often a second `work` is done by so many at once, each beginning again when it is done. */
async function perSecond(callers: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
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
      const url = await createPostgresDatabase(server.url("postgres"), "ingest");
      await measure("Postgres", await openPostgres({ url, log }), directory);
    } finally {
      await server.remove();
    }
  } else console.log("  Postgres: no server can run here");
} finally {
  await rm(directory, { recursive: true, force: true });
}
