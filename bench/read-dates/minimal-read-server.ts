import { join } from "node:path";
import { createDatabaseBudget } from "../../backend/src/anonymous/database-budget.ts";
import { readConfig } from "../../backend/src/config/config.ts";
import type { Database } from "../../backend/src/db/database.ts";
import { encodeValue } from "../../backend/src/db/values.ts";
import { createBackend, openDatabase } from "../../backend/src/index.ts";
import { createRest } from "../../backend/src/rest/index.ts";
import { listen, type Handler } from "../../server/http/listen.ts";
import { createLog } from "../../server/log.ts";
import { readOrCreateSecrets } from "../../server/environment/secrets.ts";
import { PATH, type SentStatement, STATEMENTS_PATH, writeDates } from "../read-dates.ts";

// Serves `PATH` by minimal code with the listener, driver, statement, role and claims of the REST API. Environment: PORT, DATA_DIR,
// and DATABASE_URL for a Postgres server instead of PGlite.
const { PORT, DATA_DIR, DATABASE_URL } = process.env;
if (PORT === undefined || DATA_DIR === undefined) throw new Error("PORT and DATA_DIR are required");

const log = createLog("warn");
const secrets = await readOrCreateSecrets({ DATA_DIR });
const database = await openDatabase({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, log });
const supabaseDir = join(import.meta.dirname, "../../supabase");
const backend = await createBackend({ supabaseDir, database, secrets, url: "http://127.0.0.1", log });
await writeDates(backend.fetch, "http://127.0.0.1", secrets.secretKey);

const statements = await record();
const [main] = statements.slice(-1);
if (!main) throw new Error("the dates are read by no statement");
const { text, values } = main;
const SETTINGS = "select set_config('role', 'anon', true), set_config('request.jwt.claims', $1, true)";

const minimal: Handler = async (request) => {
  if (request.url.endsWith(STATEMENTS_PATH)) return Response.json(statements);
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

const listener = await listen({ host: "127.0.0.1", port: Number(PORT), trustProxy: 1, log });
listener.serve(minimal);
process.once("SIGTERM", () => void database.close().then(() => process.exit()));

/** The statements that the REST API sends for `PATH`. */
async function record(): Promise<SentStatement[]> {
  let sent: SentStatement[] = [];
  const recording: Database = {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        sent = [];
        const note = (sql: string, given: Parameters<typeof tx.query>[1] = []): void =>
          void sent.push({ text: sql, values: given.map(encodeValue) });
        return work({
          query: (sql, given) => (note(sql, given), tx.query(sql, given)),
          last: (sql, given) => (note(sql, given), tx.last(sql, given)),
          script: tx.script,
        });
      }, options),
  };
  const identify = async () => ({ role: "anon", claims: { role: "anon" }, authenticated: false });
  const rest = createRest({
    database: recording,
    identify,
    config: await readConfig(supabaseDir, { log }),
    budget: createDatabaseBudget(),
    log,
  });
  const headers = { host: "127.0.0.1:3000", "x-forwarded-for": "10.1.2.3", apikey: secrets.publishableKey, connection: "keep-alive" };
  const response = await rest.fetch(new Request(`http://127.0.0.1${PATH}`, { headers }));
  if (!response.ok) throw new Error(`the REST API responded with ${response.status}`);
  return sent;
}
