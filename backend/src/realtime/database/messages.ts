import type { Database, Row } from "../../db/database.ts";
import { HOUR_MS, type Job } from "../../jobs.ts";
import type { Ask, Caller } from "./ask.ts";
import { parseExact } from "./exact-json.ts";
import { trimOutbox } from "./lease.ts";
import { readSnapshot } from "./snapshot.ts";

/** A broadcast that the database or another process sent. */
export interface DatabaseMessage {
  /** Without the prefix `realtime:`. */
  topic: string;
  private: boolean;
  event: string;
  /** JSON, or a `Buffer` if `binary`. */
  payload: unknown;
  /** The id of a message of SQL; null for a broadcast of another process, which is not stored. */
  id: string | null;
  /** The transaction that stored it; null for a broadcast of another process. */
  transaction: number | null;
  binary: boolean;
}

/** Stored messages, oldest first. */
export interface StoredMessages {
  messages: (Omit<DatabaseMessage, "transaction"> & { id: string })[];
  /** True if a transaction had been committed when they were read. */
  covers(transaction: number): boolean;
}

const SEND = `with sent as (
    insert into realtime.outbox (message, sender) select value, $2::text::uuid from jsonb_array_elements($1::text::jsonb) returning id
  )
  select realtime.announce_outbox() from (select count(*) from sent) as counted`;

/**
 * Sends messages to the other processes. Messages that arrive while a transaction runs share the next one. Each is a text of JSON, because
 * jsonb has no NUL and no half of a surrogate pair.
 */
export function createMessageSender(
  database: Database,
  sender: string,
): (message: Omit<DatabaseMessage, "id" | "transaction">) => Promise<void> {
  let waiting: string[] = [];
  let sending: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function flush(): Promise<void> {
    const messages = waiting;
    waiting = [];
    next = undefined;
    await database.transaction((tx) => tx.query(SEND, [JSON.stringify(messages), sender]));
  }

  return (message) => {
    const payload = Buffer.isBuffer(message.payload) ? message.payload.toString("base64") : message.payload;
    waiting.push(JSON.stringify({ ...message, payload, id: null }));
    if (!next) {
      next = sending.catch(() => undefined).then(flush);
      sending = next;
    }
    return next;
  };
}

/** Reads the message of an outbox row: an object of SQL, or the text of another process. */
export function readMessage(message: string, transaction: string): DatabaseMessage {
  const written = parseExact(message);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by createMessageSender and realtime.queue_message
  const read = (typeof written === "string" ? JSON.parse(written) : written) as Omit<DatabaseMessage, "transaction">;
  const payload = read.binary ? Buffer.from(String(read.payload), "base64") : read.payload;
  return { ...read, payload, transaction: read.id === null ? null : Number(transaction) };
}

/** A message, or the snapshot alone if there is none. */
interface StoredRow extends Row {
  snapshot: string;
  id: string | null;
  event: string;
  /** JSON text; null if the message is bytes. */
  payload: string | null;
  /** The payload in base64 if it is bytes. */
  bytes: string | null;
}

const REPLAY = `select pg_current_snapshot()::text as snapshot, id, event, payload::text, encode(binary_payload, 'base64') as bytes
  from (select) as always
  left join (
    select id, event, payload, binary_payload, inserted_at, position from realtime.messages
    where topic = $1 and private and extension = 'broadcast'
      and inserted_at > to_timestamp($2::float8 / 1000) at time zone 'utc'
    order by inserted_at desc, position desc limit $3
  ) as stored on true
  order by inserted_at, position`;

/** Reads the newest `limit` messages of a private topic after `since`, milliseconds since 1970, that the caller may see: oldest first. */
export async function replayMessages(ask: Ask, caller: Caller, topic: string, since: number, limit: number): Promise<StoredMessages> {
  const rows = await ask(caller, (tx) => tx.last<StoredRow>(REPLAY, [topic, since, limit]), { topic });
  const messages = rows.flatMap(({ id, event, payload, bytes }) =>
    id === null
      ? []
      : [
          {
            topic,
            private: true,
            event,
            payload: bytes === null ? parseExact(payload ?? "null") : Buffer.from(bytes, "base64"),
            id,
            binary: bytes !== null,
          },
        ],
  );
  return { messages, covers: readSnapshot(rows[0]?.snapshot ?? "") };
}

// Hosted projects keep messages for three days.
const DELETE_OLD = `delete from realtime.messages where inserted_at < now() at time zone 'utc' - interval '3 days'`;

/** The job that deletes old messages and trims the outbox of processes that ended without notice. */
export function realtimeCleanUpJob(database: Database): Job {
  async function run(): Promise<void> {
    await database.transaction((tx) => tx.query(DELETE_OLD));
    await trimOutbox(database);
  }
  return { name: "realtime-clean-up", intervalMs: HOUR_MS, run };
}
