import type { Logger } from "pino";
import type { Job } from "../../jobs.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError, type Row } from "../database.ts";

const INTERVAL_MS = 5 * 60_000;
/** More write-ahead log than this since the last checkpoint causes the next one. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const LOG_CHECK_MS = 1000;

/** Vacuum and checkpoint for the embedded database, which has no background processes of its own. */
interface Maintenance {
  /** Counts a transaction that may have written, and starts a checkpoint if there is much write-ahead log. */
  countWrite(): void;
  /** Runs `work` without checkpoints of its own. */
  withoutCheckpoints<T>(work: () => Promise<T>): Promise<T>;
  job: Job;
}

interface MaintenanceOptions {
  /** Runs a command outside of any transaction. */
  execute: (command: string) => Promise<unknown>;
  query: (text: string) => Promise<Row[]>;
  log: Logger;
}

// The rules of autovacuum, but tables of many rows are vacuumed earlier, so that no step takes long; old transaction ids are frozen.
const DUE = `select format('%I.%I', s.schemaname, s.relname) as name,
    s.n_dead_tup > least(50 + 0.2 * rows, 5000) or s.n_ins_since_vacuum > least(1000 + 0.2 * rows, 20000) or age(c.relfrozenxid) > 50000000 as vacuum,
    s.n_mod_since_analyze > 50 + 0.1 * rows as analyze
  from pg_stat_all_tables s join pg_class c on c.oid = s.relid, greatest(c.reltuples, 0) rows
  where c.relkind in ('r', 'm') and c.relpersistence <> 't'`;

const LOG_BYTES = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()";

/** Makes the maintenance of one database. */
export function createMaintenance({ execute, query, log }: MaintenanceOptions): Maintenance {
  let writes = 0;
  let nextLogCheck = 0;
  let refusals = 0;

  async function run(): Promise<void> {
    if (writes === 0) return;
    writes = 0;
    // Counts reach the statistics with a delay.
    await query("select pg_stat_force_next_flush()");
    // One table at a time and analyze apart, so that requests run in between.
    for (const { name, vacuum, analyze } of await query(DUE)) {
      if (vacuum === true) await execute(`vacuum ${String(name)}`);
      if (analyze === true) await execute(`analyze ${String(name)}`);
    }
    await checkpoint();
  }

  async function checkpoint(): Promise<void> {
    if (refusals === 0) await execute("checkpoint");
  }

  async function limitLog(): Promise<void> {
    const [row] = await query(LOG_BYTES);
    if (Number(row?.["bytes"]) > MAX_LOG_BYTES) await checkpoint();
  }

  return {
    countWrite() {
      writes += 1;
      if (performance.now() < nextLogCheck) return;
      nextLogCheck = performance.now() + LOG_CHECK_MS;
      limitLog().catch((error: unknown) => {
        const isClosed = error instanceof DatabaseError && error.code === SQLSTATE.connectionDoesNotExist;
        if (!isClosed) log.error({ err: error }, "the write-ahead log could not be limited");
      });
    },
    async withoutCheckpoints(work) {
      refusals += 1;
      try {
        return await work();
      } finally {
        refusals -= 1;
      }
    },
    job: { name: "database-maintenance", intervalMs: INTERVAL_MS, everyProcess: true, run },
  };
}
