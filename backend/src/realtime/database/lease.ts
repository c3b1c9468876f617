import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/database.ts";

const LEASE_SECONDS = 60;
const LONGEST_WAIT_MS = 5000;
const POLL_MS = 20;

const HELD = `update realtime.readers
  set wants_changes = $2::boolean, leased_until = now() + $3::integer * interval '1 second',
    read_to = coalesce(pg_snapshot_xmin($4::text::pg_snapshot), read_to)
  where id = $1::text::uuid and leased_until > now()
  returning pg_current_snapshot()::text as snapshot`;
const NEW = `insert into realtime.readers (id, wants_changes, leased_until) values ($1::text::uuid, $2::boolean, now() + $3::integer * interval '1 second')
  on conflict (id) do update set wants_changes = excluded.wants_changes, leased_until = excluded.leased_until, read_to = excluded.read_to
  returning pg_current_snapshot()::text as snapshot`;
const OTHERS = "select exists (select from realtime.readers where id <> $1::text::uuid and leased_until > now()) as others";
// Rows that every reader has read; two processes may trim at the same time.
const TRIM = `with dead as (delete from realtime.readers where leased_until < now() - interval '5 minutes')
  delete from realtime.outbox where id in (
    select id from realtime.outbox
    where transaction_id < coalesce((select min(read_to) from realtime.readers where leased_until > now()), pg_snapshot_xmin(pg_current_snapshot()))
    order by id limit 10000 for update skip locked)`;

/** The row of this process in the table of readers. */
interface Lease {
  /**
   * Takes or renews the lease. `readTo` is the snapshot up to which the process has read. Returns the snapshot from which to read,
   * and false for `isContinued` if there was no lease, so that changes may be missing.
   */
  renew(wantsChanges: boolean, readTo: string | null): Promise<{ snapshot: string; isContinued: boolean }>;
  /** Resolves when all transactions that may not have seen the lease have ended, or after five seconds. */
  seenByAll(): Promise<void>;
  /** True if another process has a lease. */
  hasOthers(): Promise<boolean>;
  end(): Promise<void>;
}

/** Creates the lease of the process `id`. */
export function createLease(database: Database, id: string): Lease {
  return {
    renew: (wantsChanges, readTo) =>
      database.transaction(async (tx) => {
        const [held] = await tx.query<{ snapshot: string }>(HELD, [id, wantsChanges, LEASE_SECONDS, readTo]);
        if (held) return { snapshot: held.snapshot, isContinued: true };
        const [created] = await tx.query<{ snapshot: string }>(NEW, [id, wantsChanges, LEASE_SECONDS]);
        await tx.query("select auth.announce('realtime', 'readers')");
        return { snapshot: created?.snapshot ?? "", isContinued: false };
      }),
    async seenByAll() {
      // The embedded database runs one transaction at a time.
      if (database.kind === "pglite") return;
      const deadline = performance.now() + LONGEST_WAIT_MS;
      const until = await readText(database, "select pg_snapshot_xmax(pg_current_snapshot())::text as text");
      while (performance.now() < deadline) {
        if ((await readText(database, EARLIER_ENDED, [until])) === "true") return;
        await delay(POLL_MS);
      }
    },
    async hasOthers() {
      const [row] = await database.transaction((tx) => tx.last<{ others: boolean }>(OTHERS, [id]), { readOnly: true });
      return row?.others === true;
    },
    async end() {
      await database.transaction((tx) => tx.query("delete from realtime.readers where id = $1::text::uuid", [id]));
    },
  };
}

const EARLIER_ENDED = "select (pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8)::text as text";

async function readText(database: Database, text: string, values: readonly string[] = []): Promise<string> {
  const [row] = await database.transaction((tx) => tx.last<{ text: string }>(text, values), { readOnly: true });
  return row?.text ?? "";
}

/** Deletes rows of the outbox that all readers have read, and readers that ended without notice. */
export async function trimOutbox(database: Database): Promise<void> {
  await database.transaction((tx) => tx.query(TRIM));
}
