import type { Logger } from "pino";

const INTERVAL_MS = 5 * 60_000;
const WRITES_BEFORE_VACUUM = 5000;

/** The care a Postgres server's background processes take, which an embedded one does not have. */
export interface Upkeep {
  /** Notes a transaction that may have written. */
  countWrite(): void;
  stop(): void;
}

/** Starts the upkeep; `run` executes a command outside of any transaction. */
export function startUpkeep(run: (command: string) => Promise<unknown>, log: Logger): Upkeep {
  let writes = 0;
  // Before it was opened, others may have written.
  let writesSinceVacuum = WRITES_BEFORE_VACUUM;

  async function care(): Promise<void> {
    if (writes === 0) return;
    writesSinceVacuum += writes;
    writes = 0;
    if (writesSinceVacuum >= WRITES_BEFORE_VACUUM) {
      writesSinceVacuum = 0;
      await run("vacuum (analyze)");
    }
    // Without it the write-ahead log grows until the database is closed.
    await run("checkpoint");
  }

  const timer = setInterval(() => {
    care().catch((error: unknown) => log.error({ err: error }, "the embedded database's upkeep failed"));
  }, INTERVAL_MS);
  timer.unref();
  return {
    countWrite() {
      writes += 1;
    },
    stop: () => clearInterval(timer),
  };
}
