import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";

/** The channel and payloads with which SQL requests a reload, as in PostgREST. */
const CHANNEL = "pgrst";
const RELOAD_PAYLOADS: ReadonlySet<string> = new Set(["", "reload schema", "reload config"]);

/** Caches what `read` reads of the schema: on first use with single flight, and again after a notification or `reload`. */
export function cacheSchema<T>(database: Database, read: () => Promise<T>, log: Logger): { get(): Promise<T>; reload(): Promise<void> } {
  let current: Promise<T> | null = null;
  let listening: Promise<unknown> | null = null;

  async function load(): Promise<T> {
    // Listens before loading, so that no change in between is missed.
    listening ??= database.listen(CHANNEL, (payload) => {
      if (RELOAD_PAYLOADS.has(payload)) current = null;
    });
    await listening.catch((error: unknown) => {
      listening = null;
      throw error;
    });
    const started = performance.now();
    const loaded = await read();
    log.debug({ ms: Math.round(performance.now() - started) }, "schema cache loaded");
    return loaded;
  }

  function get(): Promise<T> {
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
