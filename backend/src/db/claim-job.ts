import type { Job } from "../jobs.ts";
import type { Database } from "./database.ts";

// A timer that fires a little early must not skip an interval. A start in the future means that the clock was set back; clock_timestamp()
// and not now(), which may be earlier than the claim of a concurrent transaction.
const CLAIM = `insert into auth.scheduled_jobs (name, started_at) values ($1, now())
  on conflict (name) do update set started_at = now()
    where scheduled_jobs.started_at <= now() - 0.9 * $2::float8 * interval '1 millisecond'
      or scheduled_jobs.started_at > clock_timestamp()
  returning name`;

/** Claims the next run of a job for this process; false if another process has run it within the interval. */
export async function claimJob(database: Database, { name, intervalMs }: Job): Promise<boolean> {
  return (await database.transaction((tx) => tx.query(CLAIM, [name, intervalMs]))).length > 0;
}
