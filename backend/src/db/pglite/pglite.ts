import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { copyCluster } from "./copy-cluster.ts";
import { clusterOf, lockDataDirectory, prepareCluster } from "./data-directory.ts";
import { type Database, DatabaseError, type Row } from "../database.ts";
import { readEmptyCluster } from "./empty-cluster.ts";
import type { ExtensionName } from "./extensions.ts";
import type { ThreadOptions } from "./messages.ts";
import { openRestartingThread } from "./restart.ts";
import { createMaintenance } from "./maintenance.ts";
import { createDiskReserve, type DiskReserve } from "./reserve.ts";
import { createPool } from "../pool.ts";
import { quoteIdentifier } from "../quote.ts";
import { createSubscriptions } from "../subscriptions.ts";
import { runAgainIfRefused } from "../run-again.ts";
import { runTransaction } from "../transaction.ts";
import * as SQLSTATE from "../../sqlstates.ts";

/** The time `close` waits for running transactions, and then for Postgres to shut down. */
const CLOSE_GRACE_MS = 1000;

/** A database in `dataDir`, for one process at a time, or in memory, from an image: the tar archive of the files of a closed one, by default an empty one. */
type PgliteOptions = {
  log: Logger;
  extensions?: readonly ExtensionName[];
  /** The compiled code of PGlite, for a process that opens many databases. */
  module?: WebAssembly.Module | undefined;
} & (
  | {
      dataDir: string;
      image?: never;
      /** Returns the free bytes of the disk of a directory; for tests. */
      freeBytes?: (directory: string) => number;
    }
  | { dataDir?: never; image?: Uint8Array }
);

/** Opens the embedded database and creates it if needed. Fails with a `DataDirectoryError`. */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  const { dataDir, extensions = [], module, log } = options;
  if (dataDir === undefined) {
    const { image = await readEmptyCluster() } = options;
    return openEngine({ directory: undefined, image, module, extensions }, { log });
  }
  const unlock = lockDataDirectory(dataDir);
  try {
    const directory = await prepareCluster(dataDir);
    const reserve = createDiskReserve(dataDir, options.freeBytes);
    const context = { log, reserve, freeBytes: options.freeBytes, onClosed: unlock };
    return await openEngine({ directory, image: undefined, module, extensions }, context);
  } catch (error) {
    unlock();
    throw error;
  }
}

interface EngineContext {
  log: Logger;
  reserve?: DiskReserve;
  freeBytes?: ((directory: string) => number) | undefined;
  onClosed?: () => void;
}

async function openEngine(options: ThreadOptions, { log, reserve, freeBytes, onClosed }: EngineContext): Promise<Database> {
  const subscriptions = createSubscriptions(log);
  const engine = await openRestartingThread(options, { subscriptions, log, beforeStart: reserve?.makeRoom });
  // One PGlite is one session, so one transaction at a time.
  const pool = createPool([engine]);
  const maintenance = createMaintenance({
    execute: (command) => pool.use(() => engine.lease().script(command)),
    query: (text) => pool.use(() => engine.lease().query(text, [])),
    log,
  });
  // A session makes one copy at a time.
  const copies = createPool([maintenance]);
  const { directory } = options;
  let closed: Promise<void> | undefined;

  async function copyTo(cluster: string, target: string): Promise<void> {
    const query = (text: string): Promise<Row[]> => pool.use(() => engine.lease().query(text, []));
    await copies.use(({ withoutCheckpoints }) => withoutCheckpoints(() => copyCluster(cluster, clusterOf(target), query, freeBytes)));
  }

  async function close(): Promise<void> {
    await Promise.race([pool.close(), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await engine.close(CLOSE_GRACE_MS);
    onClosed?.();
  }

  return {
    kind: "pglite",
    jobs: reserve ? [reserve.job, maintenance.job] : [maintenance.job],
    // The thread works in order, so the next transaction can be sent as soon as this one has sent its end.
    transaction(work, transactionOptions = {}) {
      const { readOnly = false, useReserve = false, signal } = transactionOptions;
      const isRefused = !readOnly && reserve?.mayWrite(useReserve) === false;
      // On a full disk a transaction may still read.
      const allowed = isRefused ? { ...transactionOptions, readOnly: true } : transactionOptions;
      const done = runAgainIfRefused(() =>
        pool.use((_, free) => runTransaction(engine.lease(transactionOptions), work, allowed, free), signal),
      );
      // After the transaction took its turn, so that it never waits for maintenance.
      if (!readOnly && !isRefused) maintenance.countWrite();
      return isRefused ? done.catch(rethrowAsFull) : done;
    },
    async listen(channel, handler) {
      const name = quoteIdentifier(channel);
      const subscription = subscriptions.add(channel, handler);
      const stop = async (): Promise<void> => {
        if (subscriptions.remove(channel, subscription)) await pool.use(() => engine.lease().script(`unlisten ${name}`));
      };
      await pool
        .use(() => engine.lease().script(`listen ${name}`))
        .catch((error: unknown) => {
          subscriptions.remove(channel, subscription);
          throw error;
        });
      return stop;
    },
    ...(directory === undefined ? {} : { copyTo: (target: string) => copyTo(directory, target) }),
    waiting: pool.waiting,
    close: () => (closed ??= close()),
  };
}

/** Turns the refusal of a write into the error of a full disk. */
function rethrowAsFull(error: unknown): never {
  if (!(error instanceof DatabaseError) || error.code !== SQLSTATE.readOnlyTransaction) throw error;
  throw new DatabaseError("The disk is full, so nothing can be saved.", { code: SQLSTATE.diskFull, cause: error });
}
