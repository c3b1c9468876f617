import type { Database } from "./db/database.ts";

/** A task that the server's scheduler runs regularly. Running it twice, or in several processes at once, must do no harm. */
export interface Job {
  name: string;
  /** Delay of the first run after the start; a minute by default. */
  firstRunMs?: number;
  intervalMs: number;
  /** True if every process runs it; otherwise one of the processes on a database runs it per interval. */
  everyProcess?: boolean;
  run(): Promise<void>;
}

export const HOUR_MS = 3_600_000;

// A timer that fires a little early must not skip an interval.
const CLAIM = `insert into auth.scheduled_jobs (name, started_at) values ($1, now())
  on conflict (name) do update set started_at = now()
    where scheduled_jobs.started_at <= now() - 0.9 * $2::float8 * interval '1 millisecond'
  returning name`;

/** Claims the next run of a job for this process; false if another process has run it within the interval. */
export async function claimJob(database: Database, { name, intervalMs }: Job): Promise<boolean> {
  return (await database.transaction((tx) => tx.query(CLAIM, [name, intervalMs]))).length > 0;
}
