import type { Database } from "../db/database.ts";
import type { StorageContext } from "./context.ts";

const HOUR_MS = 3_600_000;
const FIRST_MS = 60_000;
/** How long bytes may lie before their row is written: no upload takes as long. */
const PATIENCE_MS = 24 * HOUR_MS;
const AT_ONCE = 500;

export type Sweep = Pick<StorageContext, "database" | "bytes" | "removedBytes" | "log">;

/**
 * Removes what nothing leads to and was written before a moment: bytes whose upload never came to a row, resumable uploads
 * that have expired, and what is still to be removed. Several processes may do it at once.
 */
export async function sweep({ database, bytes, removedBytes }: Sweep, before: Date): Promise<void> {
  await database.transaction((tx) => tx.query("delete from storage.resumable_uploads where expires_at < now()"));
  await removedBytes.removeNow();
  await bytes.removeUnfinished(before);
  let keys: string[] = [];
  for await (const key of bytes.keysBefore(before)) {
    keys.push(key);
    if (keys.length < AT_ONCE) continue;
    await bytes.remove(await unknownOf(database, keys));
    keys = [];
  }
  await bytes.remove(await unknownOf(database, keys));
}

/** Sweeps soon and then every hour; returns what stops it. */
export function scheduleSweep(storage: Sweep): () => void {
  const run = (): void => {
    sweep(storage, new Date(Date.now() - PATIENCE_MS)).catch((error: unknown) => storage.log.error({ err: error }, "sweep failed"));
  };
  const first = setTimeout(run, FIRST_MS).unref();
  const regular = setInterval(run, HOUR_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(regular);
  };
}

const UNKNOWN = `select key from jsonb_array_elements_text($1::text::jsonb) key
  where not exists (select from storage.objects where version = key)
    and not exists (select from storage.resumable_parts where version = key)`;

async function unknownOf(database: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await database.transaction((tx) => tx.query<{ key: string }>(UNKNOWN, [JSON.stringify(keys)]), { readOnly: true });
  return rows.map(({ key }) => key);
}
