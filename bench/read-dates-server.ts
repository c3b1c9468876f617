import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../backend/src/config.ts";
import { createBackend, openDatabase } from "../backend/src/index.ts";
import { listen, type Handler } from "../server/listen.ts";
import { createLog } from "../server/log.ts";
import { readCatalogue } from "../backend/src/rest/schema/catalogue.ts";
import { prepareRequest } from "../backend/src/rest/prepare.ts";
import { buildSchemaCache } from "../backend/src/rest/schema/build-schema.ts";
import { readSecrets } from "../server/secrets.ts";
import { DATES, PATH, type Served } from "./read-dates.ts";

// Serves fifty course dates by our REST API ("rest") or by minimal code ("minimal"): the same listener, driver, SQL,
// role and claims. Arguments: the kind, and the URL of a Postgres server instead of PGlite. Sends its address to its parent.
const [which, databaseUrl] = process.argv.slice(2);
const dataDir = mkdtempSync(join(tmpdir(), "larkfell-bench-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));

const log = createLog("warn");
const secrets = await readSecrets({ DATA_DIR: dataDir });
const database = await openDatabase({ dataDir, databaseUrl, log });
const supabaseDir = join(import.meta.dirname, "../supabase");
const backend = await createBackend({ supabaseDir, database, secrets, url: "http://127.0.0.1", log });
await database.transaction(async (tx) => {
  await tx.script("delete from bookings; delete from course_dates");
  await tx.query(
    `insert into course_dates (course_name, course_date, description)
     select 'Lvl 2 CCTV', now() + n * interval '1 day', 'Day ' || n from generate_series(1, $1::int) n`,
    [DATES],
  );
});

const SETTINGS = "select set_config('role', 'anon', true), set_config('request.jwt.claims', $1, true)";
const { api } = await readConfig(supabaseDir, { log });
const schema = buildSchemaCache(await readCatalogue(database, api.schemas, api.extra_search_path));
const requested = { method: "GET", url: new URL(`http://127.0.0.1${PATH}`), headers: new Headers(), body: "" };
const { query } = prepareRequest(requested, schema, api);
if (!query) throw new Error("the dates are read by no statement");
const { text, values } = query.main;

const minimal: Handler = async (request) => {
  if (request.headers.get("apikey") !== secrets.publishableKey) return new Response(null, { status: 401 });
  const [row] = await database.transaction(
    async (tx) => {
      const set = tx.query(SETTINGS, ['{"role":"anon"}']);
      const rows = await tx.last(text, values);
      await set;
      return rows;
    },
    { readOnly: true },
  );
  return new Response(String(row?.["body"]), { headers: { "Content-Type": "application/json; charset=utf-8" } });
};

const listener = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log });
listener.serve(which === "minimal" ? minimal : backend.fetch);
const served: Served = { url: `http://127.0.0.1:${listener.port}`, key: secrets.publishableKey };
process.send?.(served);
process.once("disconnect", () => process.exit());
