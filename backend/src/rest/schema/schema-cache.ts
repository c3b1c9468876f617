import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";
import { readCatalogue } from "./catalogue.ts";
import { buildSchemaCache } from "./build-schema.ts";
import type { SchemaCache } from "./schema.ts";

/** The channel and payload by which SQL asks for the schema to be read anew, as PostgREST listens for them. */
const CHANNEL = "pgrst";
const RELOAD_PAYLOADS: ReadonlySet<string> = new Set(["", "reload schema"]);

/** Keeps the schema cache: read at first use, once for all who wait, and again after a notification or `reload`. */
export function createCachedSchema(
  database: Database,
  schemas: readonly string[],
  log: Logger,
): { get(): Promise<SchemaCache>; reload(): Promise<void> } {
  let current: Promise<SchemaCache> | null = null;
  let listening: Promise<unknown> | null = null;

  async function load(): Promise<SchemaCache> {
    // Listening comes first, so that no change between the two goes unseen.
    listening ??= database.listen(CHANNEL, (payload) => {
      if (RELOAD_PAYLOADS.has(payload)) current = null;
    });
    await listening.catch((error: unknown) => {
      listening = null;
      throw error;
    });
    const started = performance.now();
    const cache = buildSchemaCache(await readCatalogue(database, schemas));
    log.debug({ ms: Math.round(performance.now() - started) }, "schema cache read");
    return cache;
  }

  function get(): Promise<SchemaCache> {
    if (current) return current;
    const loading = load();
    current = loading;
    // A failed reading is not kept: the next request tries again.
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
