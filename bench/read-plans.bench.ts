import { join } from "node:path";
import { readConfig } from "../backend/src/config/config.ts";
import { migrate } from "../backend/src/db/migrate/migrate.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { createLog } from "../server/log.ts";
import { readCatalogue } from "../backend/src/rest/schema/catalogue.ts";
import { createPrepare, prepareRequest } from "../backend/src/rest/prepare.ts";
import { buildSchemaCache } from "../backend/src/rest/schema/build-schema.ts";

// Time saved by the statement cache at several hit rates: microseconds from a request to its SQL.
const REQUESTS = 20_000;
const ROUNDS = 5;

const log = createLog("warn");
const supabaseDir = join(import.meta.dirname, "../supabase");
const config = await readConfig(supabaseDir, { log });
const database = await openPglite({ log });
await migrate(database, { supabaseDir, config, log });
const schema = buildSchemaCache(await readCatalogue(database, config.api.schemas, config.api.extra_search_path));
await database.close();

const headers = new Headers({ accept: "application/json" });
const ask = (search: string) => ({ method: "GET", url: new URL(`http://127.0.0.1/rest/v1/${search}`), headers, body: "", limited: true });
const select = "course_dates?select=id,course_name,course_date,bookings(id,status)&order=course_date.asc";
const cases: [name: string, remembers: boolean, search: (n: number) => string][] = [
  ["without remembering", false, (n) => `${select}&id=eq.${n}&limit=50`],
  ["known shapes, other values (100 % hits)", true, (n) => `${select}&id=eq.${n}&limit=50`],
  ["every second shape new (50 % hits)", true, (n) => `${select}&id=eq.${n}&limit=${n % 2 === 0 ? 50 : 1000 + n}`],
  ["every shape new (0 % hits)", true, (n) => `${select}&id=eq.${n}&limit=${1000 + n}`],
];

const best = new Map<string, number>();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, remembers, search] of cases) {
    const remembering = createPrepare(schema, config.api);
    const prepare = remembers ? remembering : (raw: ReturnType<typeof ask>) => prepareRequest(raw, schema, config.api);
    const requests = Array.from({ length: REQUESTS }, (_, n) => ask(search(n)));
    const started = performance.now();
    for (const request of requests) prepare(request);
    const each = ((performance.now() - started) * 1000) / REQUESTS;
    best.set(name, Math.min(each, best.get(name) ?? Number.POSITIVE_INFINITY));
  }
}
for (const [name, each] of best) console.log(`  ${name}: ${each.toFixed(1)} µs a request`);
