import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { ByteStore } from "./bytes/byte-store.ts";

/**
 * Deletes the bytes of removed and replaced objects, which a trigger queues in `storage.removed_bytes`. They stay queued while a
 * backup is made.
 */
export interface RemovedBytes {
  /** Deletes queued bytes in the background. */
  remove(): void;
  /** Deletes queued bytes and waits. */
  removeNow(): Promise<void>;
  close(): Promise<void>;
}

interface RemovedBytesOptions {
  database: Database;
  bytes: ByteStore;
  /** Deletes the renditions of these versions. */
  forget: (versions: readonly string[]) => Promise<void>;
  log: Logger;
}

const AT_ONCE = 500;

const REMOVED = `select version, not exists (select from storage.objects o where o.version = r.version) as unused
  from storage.removed_bytes r
  where not exists (select from storage.backups where expires_at > now())
  order by removed_at limit $1`;

/**
 * Makes the remover. A version leaves the queue after its bytes are deleted: if the process ends in between, the next run
 * repeats the deletion. Several processes may run it at once.
 */
export function createRemovedBytes({ database, bytes, forget, log }: RemovedBytesOptions): RemovedBytes {
  let running = Promise.resolve();
  let waiting = false;

  async function removeAll(): Promise<void> {
    for (;;) {
      const rows = await database.transaction((tx) => tx.query<{ version: string; unused: boolean }>(REMOVED, [AT_ONCE]), {
        readOnly: true,
      });
      if (rows.length === 0) return;
      const versions = rows.map(({ version }) => version);
      const unused = rows.flatMap(({ version, unused: isUnused }) => (isUnused ? [version] : []));
      await forget(unused);
      await bytes.remove(unused);
      await database.transaction(
        (tx) =>
          tx.query("delete from storage.removed_bytes where version in (select jsonb_array_elements_text($1::text::jsonb))", [
            JSON.stringify(versions),
          ]),
        { useReserve: true },
      );
    }
  }

  function removeNow(): Promise<void> {
    const done = running.then(removeAll);
    running = done.catch((error: unknown) => log.error({ err: error }, "orphaned bytes could not be removed"));
    return done;
  }

  return {
    remove() {
      if (waiting) return;
      waiting = true;
      void running.then(() => {
        waiting = false;
        removeNow().catch(() => undefined);
      });
    },
    removeNow,
    async close() {
      // A waiting run starts when the current one ends.
      for (let last; last !== running;) {
        last = running;
        await last;
      }
    },
  };
}
