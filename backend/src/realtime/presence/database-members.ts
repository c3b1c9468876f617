import type { Logger } from "pino";
import { z } from "zod";
import type { Database, Transaction } from "../../db/database.ts";
import type { Member } from "./members.ts";
import type { OtherProcesses } from "./other-processes.ts";
import { keyOf, type Topics } from "../topics.ts";

const CHANNEL = "realtime_members";
/** The members of a process that died leave after the lease. */
const RENEW_MS = 5000;
const LEASE = "interval '20 seconds'";

const READ = `select id::text, key, payload::text, meta::text from realtime.members
  where topic = $1 and private = $2 and process <> $3::text::uuid and seen_at > now() - ${LEASE}`;
const WRITE = `insert into realtime.members (process, id, topic, private, key, payload, meta)
  select $1::text::uuid, id, topic, private, key, payload::json, meta::json
  from jsonb_to_recordset($2::text::jsonb) as given (id uuid, topic text, private boolean, key text, payload text, meta text)
  on conflict (id) do update set payload = excluded.payload, meta = excluded.meta, seen_at = now()`;
const REMOVE = "delete from realtime.members where id in (select jsonb_array_elements_text($1::text::jsonb)::uuid)";
const RENEW = "update realtime.members set seen_at = now() where process = $1::text::uuid returning 1";
const REMOVE_DEAD = `delete from realtime.members where seen_at < now() - ${LEASE} returning topic, private`;
const REMOVE_OWN = "delete from realtime.members where process = $1::text::uuid returning topic, private";

const announcedSchema = z.tuple([z.string(), z.string(), z.boolean()]);
const payloadSchema = z.record(z.string(), z.unknown());
const metaSchema = z.looseObject({ phx_ref: z.string() });

interface Place {
  topic: string;
  isPrivate: boolean;
}

interface Followed extends Place {
  members: ReadonlyMap<string, Member>;
  /** Reads the members; a change during a read causes another one. */
  reading: Promise<void> | undefined;
  isStale: boolean;
}

type MemberRow = { id: string; key: string; payload: string; meta: string };
type PlaceRow = { topic: string; private: boolean };

/** Shares members through a table of the database; announcements say which topics changed. */
export async function openDatabaseMembers({
  database,
  topics,
  log,
}: {
  database: Database;
  topics: Topics;
  log: Logger;
}): Promise<OtherProcesses & AsyncDisposable> {
  const process = crypto.randomUUID();
  const own = new Map<string, Place & { member: Member }>();
  const changed = new Map<string, Place & { member: Member | undefined }>();
  const followed = new Map<string, Followed>();
  let listener: Parameters<OtherProcesses["onChange"]>[0] = () => undefined;
  let writing: Promise<void> | undefined;

  async function announce(tx: Transaction, places: readonly Place[]): Promise<void> {
    const distinct = new Map(places.map((place) => [keyOf(place.topic, place.isPrivate), place]));
    for (const { topic, isPrivate } of distinct.values())
      await tx.query("select auth.announce($1, $2)", [CHANNEL, JSON.stringify([process, topic, isPrivate])]);
  }

  /** Writes what has changed, in one transaction at a time. */
  async function write(): Promise<void> {
    while (changed.size > 0) {
      const batch = [...changed];
      changed.clear();
      const present = batch.flatMap(([, { member, ...place }]) => (member ? [{ ...place, member }] : []));
      const gone = batch.flatMap(([id, { member }]) => (member ? [] : [id]));
      await database.transaction(async (tx) => {
        if (present.length > 0) await tx.query(WRITE, [process, rowsOf(present)]);
        if (gone.length > 0) await tx.query(REMOVE, [JSON.stringify(gone)]);
        await announce(
          tx,
          batch.map(([, place]) => place),
        );
      });
    }
  }

  async function read(entry: Followed): Promise<void> {
    do {
      entry.isStale = false;
      const rows = await database.transaction((tx) => tx.last<MemberRow>(READ, [entry.topic, entry.isPrivate, process]), {
        readOnly: true,
      });
      const before = entry.members;
      entry.members = new Map(rows.map((row) => [row.id, parse(row)]));
      listener(entry.topic, entry.isPrivate, before, entry.members);
    } while (entry.isStale);
  }

  function refresh(entry: Followed): Promise<void> {
    entry.isStale = true;
    entry.reading ??= read(entry).finally(() => {
      entry.reading = undefined;
    });
    return entry.reading;
  }

  function refreshLater(entry: Followed): void {
    refresh(entry).catch((error: unknown) => log.warn({ err: error }, "members of other processes cannot be read"));
  }

  /** Keeps the own members alive and removes those of dead processes. */
  async function renew(): Promise<void> {
    for (const [key, { topic, isPrivate }] of followed) if (topics.of(topic, isPrivate).size === 0) followed.delete(key);
    if (own.size === 0 && followed.size === 0) return;
    // In a transaction of its own, which no other member can undo.
    const renewed = own.size > 0 ? await database.transaction((tx) => tx.query(RENEW, [process])) : [];
    const removed = await database.transaction(async (tx) => {
      // After a crash of the database the table is empty.
      if (renewed.length < own.size && changed.size === 0) await tx.query(WRITE, [process, rowsOf([...own.values()])]);
      const dead = await tx.query<PlaceRow>(REMOVE_DEAD);
      await announce(tx, dead.map(placeOf));
      if (renewed.length < own.size) await announce(tx, [...own.values()]);
      return dead;
    });
    for (const { topic, private: isPrivate } of removed) {
      const entry = followed.get(keyOf(topic, isPrivate));
      if (entry) refreshLater(entry);
    }
  }

  const stopListening = await database.listen(CHANNEL, (text) => {
    // Empty: announcements may have been missed.
    if (text === "") return followed.values().forEach(refreshLater);
    const [origin, topic, isPrivate] = announcedSchema.parse(JSON.parse(text));
    const entry = followed.get(keyOf(topic, isPrivate));
    if (entry && origin !== process) refreshLater(entry);
  });
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, "members of realtime topics cannot be renewed"));
  }, RENEW_MS).unref();

  return {
    onChange(given) {
      listener = given;
    },
    async members(topic, isPrivate) {
      const key = keyOf(topic, isPrivate);
      const known = followed.get(key);
      const entry: Followed = known ?? { topic, isPrivate, members: new Map(), reading: undefined, isStale: false };
      followed.set(key, entry);
      try {
        if (known) await entry.reading;
        else await refresh(entry);
      } catch (error) {
        followed.delete(key);
        throw error;
      }
      return entry.members;
    },
    publish(topic, isPrivate, id, member) {
      if (member) own.set(id, { topic, isPrivate, member });
      else own.delete(id);
      changed.set(id, { topic, isPrivate, member });
      writing ??= write()
        .catch((error: unknown) => log.warn({ err: error }, "members of realtime topics cannot be shared"))
        .finally(() => {
          writing = undefined;
        });
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await stopListening();
      await writing;
      if (own.size === 0) return;
      const leave = database.transaction(async (tx) => announce(tx, (await tx.query<PlaceRow>(REMOVE_OWN, [process])).map(placeOf)));
      await leave.catch((error: unknown) => log.warn({ err: error }, "members of realtime topics cannot be removed"));
    },
  };
}

/** The parameter of WRITE. Objects are texts in it: to read one as JSON fails if it contains NUL or half of a surrogate pair. */
function rowsOf(members: readonly (Place & { member: Member })[]): string {
  return JSON.stringify(
    members.map(({ topic, isPrivate, member: { id, key, payload, meta } }) => ({
      id,
      topic: topic.toWellFormed(),
      private: isPrivate,
      key: key.toWellFormed(),
      payload: JSON.stringify(payload),
      meta: JSON.stringify(meta),
    })),
  );
}

function placeOf({ topic, private: isPrivate }: PlaceRow): Place {
  return { topic, isPrivate };
}

function parse({ id, key, payload, meta }: MemberRow): Member {
  return { id, key, payload: payloadSchema.parse(JSON.parse(payload)), meta: metaSchema.parse(JSON.parse(meta)) };
}
