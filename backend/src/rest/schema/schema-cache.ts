import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";
import { readCatalogue } from "./catalogue.ts";
import { buildSchemaCache } from "./build-schema.ts";
import type { SchemaCache } from "./schema.ts";

/** The channel and payloads with which SQL requests a reload, as in PostgREST. */
const CHANNEL = "pgrst";
const RELOAD_PAYLOADS: ReadonlySet<string> = new Set(["", "reload schema"]);

/** Creates the schema cache: loaded on first use with single flight, and again after a notification or `reload`. */
export function createSchemaCache(
  database: Database,
  schemas: readonly string[],
  log: Logger,
): { get(): Promise<SchemaCache>; reload(): Promise<void> } {
  let current: Promise<SchemaCache> | null = null;
  let listening: Promise<unknown> | null = null;

  async function load(): Promise<SchemaCache> {
    // Listens before loading, so that no change in between is missed.
    listening ??= database.listen(CHANNEL, (payload) => {
      if (RELOAD_PAYLOADS.has(payload)) current = null;
    });
    await listening.catch((error: unknown) => {
      listening = null;
      throw error;
    });
    const started = performance.now();
    const cache = buildSchemaCache(await readCatalogue(database, schemas));
    log.debug({ ms: Math.round(performance.now() - started) }, "schema cache loaded");
    return cache;
  }

  function get(): Promise<SchemaCache> {
    if (current) return current;
    const loading = load();
    current = loading;
    // A failure is not cached: the next request tries again.
    loading.catch(() => {
      if (current === loading) current = null;
    });
    return loading;
  }

  return {
    get,
    async reload() {
      current = null;
      await get();
    },
  };
}
