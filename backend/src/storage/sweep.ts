import type { Database } from "../db/database.ts";
import { HOUR_MS, type Job } from "../jobs.ts";
import type { TrashedKey } from "./bytes/byte-store.ts";
import type { StorageContext } from "./context.ts";
import { adoptStorage, claimEmptyStorage, ownsFiles } from "./database-id.ts";

/** Age at which stored bytes without a row count as an orphan; no upload takes as long. */
const ORPHAN_AGE_MS = 24 * HOUR_MS;
const TRASH_DAYS = 7;
const BATCH = 500;
/** A sweep moves at most this share of the stored files, or this number if that is more. */
const MAX_SHARE = 0.1;
const MAX_FILES = 20;

type SweepContext = Pick<StorageContext, "database" | "bytes" | "removedBytes" | "log">;

/**
 * Controls the removal of orphans: `on` by default, `off` never. `adopt` ties the files to this database at start, whichever database
 * they belonged to, and removes any number of orphans.
 */
export type SweepMode = "on" | "off" | "adopt";

interface Sweep {
  /** Removes orphans written before `before`, expired resumable uploads and replaced bytes. Safe to run in several processes at once. */
  run(before: Date, now?: Date): Promise<void>;
  /** The hourly run. */
  job: Job;
  close(): Promise<void>;
}

/** Makes the sweep and ties the storage to the database. */
export function createSweep(context: SweepContext, mode: SweepMode = "on"): Sweep {
  const { database, bytes, removedBytes, log } = context;
  let lastRefusal = "";

  const tie = mode === "adopt" ? adoptStorage : claimEmptyStorage;
  // A storage that cannot be reached must not stop the start; the sweep checks the ids again.
  const tied = (mode === "off" ? Promise.resolve() : tie(database, bytes)).catch((error: unknown) =>
    log.error({ err: error }, "the storage could not be tied to the database"),
  );

  async function run(before: Date, now = new Date()): Promise<void> {
    await tied;
    await database.transaction((tx) => tx.query("delete from storage.resumable_uploads where expires_at < now()"));
    await removedBytes.removeNow();
    await bytes.removeUnfinished(before);
    if (mode === "off") return;
    if (!(await ownsFiles(database, bytes, (moment) => findOrphans(context, moment)))) {
      refuse(
        "The uploaded files belong to another database: none of them is removed. Check DATABASE_URL, DATA_DIR and S3_BUCKET; " +
          "if this database is the right one for these files, start once with STORAGE_SWEEP=adopt.",
      );
      return;
    }
    const { orphans, total } = await findOrphans(context, before);
    if (mode !== "adopt" && orphans.length > Math.max(MAX_FILES, total * MAX_SHARE)) {
      refuse(
        `${orphans.length} of ${total} uploaded files are in no row of the database: none of them is removed. ` +
          "If they are really unused, start once with STORAGE_SWEEP=adopt.",
      );
      return;
    }
    lastRefusal = "";
    await bytes.trash(orphans);
    await sortTrash(context, now);
  }

  function refuse(message: string): void {
    if (message === lastRefusal) return;
    lastRefusal = message;
    log.error(message);
  }

  return {
    run,
    job: { name: "storage-sweep", intervalMs: HOUR_MS, run: () => run(new Date(Date.now() - ORPHAN_AGE_MS)) },
    close: () => tied,
  };
}

/** Lists stored keys written before a moment that no row refers to and that are not queued for deletion. */
async function findOrphans({ database, bytes }: SweepContext, before: Date): Promise<{ orphans: string[]; total: number }> {
  const orphans: string[] = [];
  let total = 0;
  for await (const keys of batches(bytes.keysBefore(before))) {
    total += keys.length;
    orphans.push(...(await unknownOf(database, keys)));
  }
  return { orphans, total };
}

/** Restores trashed bytes that a row refers to again; deletes the others after `TRASH_DAYS`. */
async function sortTrash({ database, bytes }: SweepContext, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - TRASH_DAYS * 24 * HOUR_MS).toISOString().slice(0, 10);
  for await (const trashed of batches(bytes.listTrash())) {
    const unknown = new Set(
      await unknownOf(
        database,
        trashed.map(({ key }) => key),
      ),
    );
    const expired: TrashedKey[] = [];
    for (const item of trashed) {
      if (!unknown.has(item.key)) await bytes.restore(item);
      else if (item.day < oldest) expired.push(item);
    }
    await bytes.deleteTrashed(expired);
  }
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const UNKNOWN = `select key from jsonb_array_elements_text($1::text::jsonb) key
  where not exists (select from storage.objects where version = key)
    and not exists (select from storage.resumable_parts where version = key)
    and not exists (select from storage.removed_bytes where version = key)`;

async function unknownOf(database: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await database.transaction((tx) => tx.query<{ key: string }>(UNKNOWN, [JSON.stringify(keys)]), { readOnly: true });
  return rows.map(({ key }) => key);
}
