import { HOUR_MS, type Job } from "../jobs.ts";
import type { Database, Row } from "./database.ts";
import type { Subscriptions } from "./subscriptions.ts";

// Rows are deleted when they are older than an hour. A reader that was suspended for longer than this may have missed some.
const LONGEST_PAUSE_MS = HOUR_MS / 2;

// Returns the rows committed since the last snapshot, whatever the order of the commits; only the snapshot if there is no last one.
const READ = `select current.snapshot, announcements.channel, announcements.payload
  from (select pg_current_snapshot()::text as snapshot) as current
  left join auth.announcements on transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
    and not pg_visible_in_snapshot(transaction_id, $1::pg_snapshot)`;

interface AnnouncementRow extends Row {
  snapshot: string;
  channel: string | null;
  payload: string | null;
}

/**
 * Creates a function that reads the announcements committed since its last call and delivers them to `subscriptions`. For
 * connections without notifications.
 */
export function createAnnouncementReader(
  query: (text: string, values: readonly (string | null)[]) => Promise<Row[]>,
  subscriptions: Subscriptions,
): () => Promise<void> {
  let last: string | null = null;
  let lastRead = Date.now();

  return async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of READ
    const rows = (await query(READ, [last])) as AnnouncementRow[];
    const now = Date.now();
    const isComplete = now - lastRead < LONGEST_PAUSE_MS;
    lastRead = now;
    last = rows[0]?.snapshot ?? null;
    if (!isComplete) subscriptions.dispatchLoss();
    for (const { channel, payload } of rows) if (channel !== null) subscriptions.dispatch(channel, payload ?? "");
  };
}

/** The job that deletes announcements that every process has read. */
export function announcementsJob(database: Database): Job {
  async function run(): Promise<void> {
    await database.transaction((tx) => tx.query("delete from auth.announcements where announced_at < now() - interval '1 hour'"));
  }
  return { name: "announcements", intervalMs: HOUR_MS, run };
}
