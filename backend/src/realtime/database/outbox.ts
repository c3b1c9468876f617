import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type Database, DatabaseError, type Row } from "../../db/database.ts";
import { createLease, trimOutbox } from "./lease.ts";

const RENEW_MS = 15_000;
const CHUNK = 500;

/** A row of the outbox: a change or a message. Rows of tables and messages are JSON text, because numbers may be larger than JavaScript's. */
export interface OutboxRow extends Row {
  id: number | string;
  recordedAt: Date;
  relation: number | null;
  operation: "INSERT" | "UPDATE" | "DELETE" | null;
  record: string | null;
  oldRecord: string | null;
  message: string | null;
  /** The id of the transaction that wrote it. */
  transaction: string;
  /** The process that sent the message; null for SQL. */
  sender: string | null;
}

type NewOutboxRow = OutboxRow & { snapshot: string };
/** A row, or the snapshot alone if there is no new row. */
type NewRow = NewOutboxRow | (Row & { snapshot: string; id: null });

// Rows that were committed since the last snapshot, or only their ids if there are more than a chunk. Transactions are in the order of
// their last rows, so that one which changed a row after another, or wrote anything after the other's commit, comes later; a transaction
// is in one piece.
const NEW = `
  select current.snapshot, id, recorded_at as "recordedAt", relation::bigint as relation, operation,
    case when count(*) over () <= ${CHUNK} then record::text end as record,
    case when count(*) over () <= ${CHUNK} then old_record::text end as "oldRecord",
    case when count(*) over () <= ${CHUNK} then message::text end as message, sender::text as sender,
    transaction_id::text as transaction
  from (select pg_current_snapshot()::text as snapshot) as current
  left join realtime.outbox on transaction_id >= pg_snapshot_xmin($1::text::pg_snapshot)
    and not pg_visible_in_snapshot(transaction_id, $1::text::pg_snapshot)
  order by max(id) over (partition by transaction_id), id`;

const ROWS = `
  select id, recorded_at as "recordedAt", relation::bigint as relation, operation, record::text as record,
    old_record::text as "oldRecord", message::text as message, sender::text as sender,
    transaction_id::text as transaction
  from jsonb_array_elements_text($1::text::jsonb) with ordinality as wanted (wanted_id, position)
  join realtime.outbox on id = wanted_id::bigint order by position`;

interface OutboxOptions {
  database: Database;
  /** Receives rows in the order of their commits. In an outage it fails, and receives the same rows again. */
  deliver: (rows: readonly OutboxRow[]) => Promise<void>;
  /** Called when changes may be missing: the process had no lease for a while, or `deliver` failed. */
  onLoss: () => void;
  /** Called regularly, and after changes of the schema. */
  onRenew: () => Promise<void>;
  /** Returns the time in ms after a delivery until the next one, which contains the rows of this time together. */
  pauseMs: () => number;
  /** True while somebody has subscribed to changes. */
  areChangesWanted: () => boolean;
  log: Logger;
}

/** Reads the outbox of one database for this process. */
interface Outbox {
  /** Names this process as the sender of its messages. */
  readonly id: string;
  /** True if another process reads the outbox. */
  readonly hasOthers: boolean;
  /** Begins to read. Resolves when changes are recorded, if they are wanted, for all transactions that commit later. */
  start(wantsChanges: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Creates the reader of the outbox; it reads after `start`. */
export function createOutbox({ database, deliver, pauseMs, onLoss, onRenew, areChangesWanted, log }: OutboxOptions): Outbox {
  const id = randomUUID();
  const lease = createLease(database, id);
  let snapshot: string | null = null;
  let pending: string[] = [];
  let wantsChanges = false;
  let hasOthers = false;
  let listening: Promise<AsyncDisposableStack> | undefined;
  let starting: Promise<void> | undefined;
  let renewing: Promise<void> = Promise.resolve();
  let reading: Promise<void> | undefined;
  let isStale = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Reads until nothing is left; a call while it reads makes it read once more. */
  function read(): Promise<void> {
    isStale = true;
    return (reading ??= readAll().finally(() => {
      reading = undefined;
    }));
  }

  async function readAll(): Promise<void> {
    try {
      while (isStale && !closed) {
        isStale = false;
        await readNew();
        const ms = pauseMs();
        if (ms >= 1) await delay(ms);
      }
    } catch (error) {
      // Rows that were not delivered stay pending; a restored connection or the next renewal reads on.
      if (!closed && !(error instanceof DatabaseError && error.isOutage)) log.error({ err: error }, "database changes could not be read");
    }
  }

  async function readNew(): Promise<void> {
    const from = snapshot;
    if (from === null) return;
    const found = await database.transaction((tx) => tx.last<NewRow>(NEW, [from]), { readOnly: true });
    // A renewal that found no lease has started from a new snapshot.
    if (snapshot !== from) return void (isStale = true);
    snapshot = found[0]?.snapshot ?? from;
    const fresh = found.filter((row): row is NewOutboxRow => row.id !== null);
    const isWhole = pending.length === 0 && fresh.length <= CHUNK;
    pending.push(...fresh.map(({ id: newId }) => String(newId)));
    while (pending.length > 0 && !closed) {
      const chunk = pending.slice(0, CHUNK);
      const rows = isWhole ? fresh : await readRows(chunk);
      try {
        await deliver(rows);
      } catch (error) {
        if (error instanceof DatabaseError && error.isOutage) throw error;
        // These rows would fail again and block all later ones.
        log.error({ err: error }, "database changes could not be delivered");
        onLoss();
      }
      pending = pending.slice(chunk.length);
    }
  }

  function readRows(ids: readonly string[]): Promise<OutboxRow[]> {
    return database.transaction((tx) => tx.last<OutboxRow>(ROWS, [JSON.stringify(ids)]), { readOnly: true });
  }

  /** Renews the lease after earlier renewals, so that the last state of `wantsChanges` is stored last. */
  function renew(): Promise<void> {
    const renewed = renewing.catch(() => undefined).then(renewOnce);
    renewing = renewed;
    return renewed;
  }

  async function renewOnce(): Promise<void> {
    const renewed = await lease.renew(wantsChanges, pending.length > 0 ? null : snapshot);
    hasOthers = await lease.hasOthers();
    if (renewed.isContinued && snapshot !== null) return;
    const isLoss = snapshot !== null;
    snapshot = renewed.snapshot;
    if (isLoss) onLoss();
  }

  async function maintain(): Promise<void> {
    try {
      wantsChanges &&= areChangesWanted();
      await renew();
      await onRenew();
      await trimOutbox(database);
      await read();
    } catch (error) {
      if (!closed && !(error instanceof DatabaseError && error.isOutage)) log.error({ err: error }, "the lease was not renewed");
    }
  }

  async function listen(): Promise<AsyncDisposableStack> {
    await using listeners = new AsyncDisposableStack();
    const onAnnouncement = (payload: string): void => {
      // An empty payload means that the connection was lost: the lease may have ended meanwhile.
      if (payload === "outbox") void read();
      else if (!closed) void maintain();
    };
    const onReload = (): void => void onRenew().catch((error: unknown) => log.warn({ err: error }, "the publication could not be read"));
    listeners.defer(await database.listen("realtime", onAnnouncement));
    listeners.defer(await database.listen("pgrst", onReload));
    return listeners.move();
  }

  async function begin(wanted: boolean): Promise<void> {
    await (listening ??= listen().catch((error: unknown) => {
      listening = undefined;
      throw error;
    }));
    wantsChanges ||= wanted;
    await renew();
    timer ??= setInterval(() => void maintain(), RENEW_MS).unref();
    if (wanted) await lease.seenByAll();
  }

  return {
    id,
    get hasOthers() {
      return hasOthers;
    },
    async start(wanted) {
      if (snapshot !== null && (wantsChanges || !wanted)) return starting;
      const begun = (starting ?? Promise.resolve()).catch(() => undefined).then(() => begin(wanted));
      starting = begun;
      try {
        await begun;
      } catch (error) {
        if (wanted) wantsChanges = false;
        throw error;
      }
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await listening?.then((listeners) => listeners.disposeAsync()).catch(() => undefined);
      await reading?.catch(() => undefined);
      // A renewal would take the lease again.
      await renewing.catch(() => undefined);
      await lease.end().catch(() => undefined);
    },
  };
}
