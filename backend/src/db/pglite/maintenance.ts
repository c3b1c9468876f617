import type { Job } from "../../jobs.ts";

const INTERVAL_MS = 5 * 60_000;
const WRITES_BEFORE_VACUUM = 5000;

/** Vacuum and checkpoint for the embedded database, which has no background processes of its own. */
export interface Maintenance {
  /** Counts a transaction that may have written. */
  countWrite(): void;
  job: Job;
}

/** Makes the maintenance job; `execute` runs a command outside of any transaction. */
export function createMaintenance(execute: (command: string) => Promise<unknown>): Maintenance {
  let writes = 0;
  // The database may have been written to before it was opened here.
  let writesSinceVacuum = WRITES_BEFORE_VACUUM;

  async function run(): Promise<void> {
    if (writes === 0) return;
    writesSinceVacuum += writes;
    writes = 0;
    if (writesSinceVacuum >= WRITES_BEFORE_VACUUM) {
      writesSinceVacuum = 0;
      await execute("vacuum (analyze)");
    }
    // Otherwise the write-ahead log grows until the database is closed.
    await execute("checkpoint");
  }

  return {
    countWrite() {
      writes += 1;
    },
    job: { name: "database-maintenance", intervalMs: INTERVAL_MS, everyProcess: true, run },
  };
}
