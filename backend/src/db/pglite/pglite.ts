import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { lockDataDirectory, prepareCluster } from "./data-directory.ts";
import type { Database } from "../database.ts";
import type { ExtensionName } from "./extensions.ts";
import type { ThreadOptions } from "./messages.ts";
import { openRestartingThread } from "./restart.ts";
import { createMaintenance } from "./maintenance.ts";
import { createPool } from "../pool.ts";
import { quoteIdentifier } from "../quote.ts";
import { createSubscriptions } from "../subscriptions.ts";
import { retryIfStale } from "../stale-statement.ts";
import { runTransaction } from "../transaction.ts";

/** The time `close` waits for running transactions, and then for Postgres to shut down. */
const CLOSE_GRACE_MS = 1000;

/** A database in `dataDir`, for one process at a time, or in memory, optionally from the `dumpImage` of another. */
export type PgliteOptions = { log: Logger; extensions?: readonly ExtensionName[] } & (
  | { dataDir: string; image?: never }
  | { dataDir?: never; image?: Uint8Array<ArrayBuffer> }
);

/** The embedded database. */
export interface PgliteDatabase extends Database {
  /** Copies the whole database into an image for new databases. */
  dumpImage(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Opens the embedded database and creates it if needed. Fails with a `DataDirectoryError`. */
export async function openPglite(options: PgliteOptions): Promise<PgliteDatabase> {
  const { dataDir, image, extensions = [], log } = options;
  if (dataDir === undefined) return openEngine({ directory: undefined, image, extensions }, log, () => undefined);
  const unlock = lockDataDirectory(dataDir);
  try {
    const directory = await prepareCluster(dataDir, create);
    return await openEngine({ directory, image: undefined, extensions }, log, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function create(directory: string): Promise<void> {
  const making = promisify(execFile)(process.execPath, [fileURLToPath(new URL("./create-cluster.ts", import.meta.url)), directory]);
  // The directory is renamed only when complete, so the child process may be killed at any time.
  const abandon = (): void => void making.child.kill("SIGKILL");
  process.once("exit", abandon);
  await making.finally(() => process.off("exit", abandon));
}

async function openEngine(options: ThreadOptions, log: Logger, onClosed: () => void): Promise<PgliteDatabase> {
  const subscriptions = createSubscriptions(log);
  const engine = await openRestartingThread(options, subscriptions, log);
  // One PGlite is one session, so one transaction at a time.
  const pool = createPool([engine]);
  const maintenance = createMaintenance((command) => pool.use(() => engine.lease().script(command)));
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.race([pool.close(), delay(CLOSE_GRACE_MS, undefined, { ref: false })]);
    await engine.close(CLOSE_GRACE_MS);
    onClosed();
  }

  return {
    kind: "pglite",
    jobs: [maintenance.job],
    // The thread works in order, so the next transaction can be sent as soon as this one has sent its end.
    transaction(work, transactionOptions = {}) {
      const { readOnly, signal, statementTimeoutMs } = transactionOptions;
      if (!readOnly) maintenance.countWrite();
      return retryIfStale(() =>
        pool.use((_, free) => runTransaction(engine.lease(statementTimeoutMs), work, transactionOptions, free), signal),
      );
    },
    async listen(channel, handler) {
      const name = quoteIdentifier(channel);
      const subscription = subscriptions.add(channel, handler);
      await pool.use(() => engine.lease().script(`listen ${name}`));
      return async () => {
        if (subscriptions.remove(channel, subscription)) await pool.use(() => engine.lease().script(`unlisten ${name}`));
      };
    },
    dumpImage: () => pool.use(() => engine.dump()),
    close: () => (closed ??= close()),
  };
}
