import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";
import { type Database, DatabaseError, type Transaction } from "../../db/database.ts";
import type { Member } from "./members.ts";
import {
  type MemberTopic,
  type TopicMember,
  readMembers,
  removeExpiredMembers,
  removeMembers,
  removeOwnMembers,
  renewMembers,
  writeMembers,
} from "./member-rows.ts";
import type { OtherProcesses } from "./other-processes.ts";
import { keyOf, type Topics } from "../topics.ts";

const CHANNEL = "realtime_members";
const RENEW_MS = 5000;
/** The time after which a failed read is repeated. */
const RETRY_MS = 1000;

const announcedSchema = z.tuple([z.string(), z.string(), z.boolean()]);

interface Followed extends MemberTopic {
  members: ReadonlyMap<string, Member>;
  /** The reading of the members until they are up to date. */
  reading: Promise<void> | undefined;
  isStale: boolean;
}

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
  const own = new Map<string, TopicMember>();
  const changed = new Map<string, MemberTopic & { member: Member | undefined }>();
  const followed = new Map<string, Followed>();
  let listener: Parameters<OtherProcesses["onChange"]>[0] = () => undefined;
  let writing: Promise<void> | undefined;

  async function announce(tx: Transaction, of: readonly MemberTopic[]): Promise<void> {
    const distinct = new Map(of.map((each) => [keyOf(each.topic, each.isPrivate), each]));
    for (const { topic, isPrivate } of distinct.values())
      await tx.query("select auth.announce($1, $2)", [CHANNEL, JSON.stringify([process, topic, isPrivate])]);
  }

  /** Writes the changed members, in one transaction at a time. */
  async function write(): Promise<void> {
    while (changed.size > 0) {
      const batch = [...changed];
      changed.clear();
      const present = batch.flatMap(([, { member, ...of }]) => (member ? [{ ...of, member }] : []));
      const removed = batch.flatMap(([id, { member }]) => (member ? [] : [id]));
      const written = database.transaction(async (tx) => {
        await writeMembers(tx, process, present);
        await removeMembers(tx, removed);
        await announce(
          tx,
          batch.map(([, of]) => of),
        );
      });
      await written.catch((error: unknown) => {
        // The next renewal repeats it.
        for (const [id, entry] of batch) if (!changed.has(id)) changed.set(id, entry);
        throw error;
      });
    }
  }

  function writeLater(): void {
    writing ??= write()
      .catch((error: unknown) => log.warn({ err: error }, "members of realtime topics cannot be shared"))
      .finally(() => {
        writing = undefined;
      });
  }

  /** Reads the members of a topic, again after a change or a failure. */
  async function read(entry: Followed): Promise<void> {
    while (entry.isStale && followed.get(keyOf(entry.topic, entry.isPrivate)) === entry) {
      entry.isStale = false;
      const before = entry.members;
      try {
        entry.members = await database.transaction((tx) => readMembers(tx, entry, process), { readOnly: true });
        listener(entry.topic, entry.isPrivate, before, entry.members);
      } catch (error) {
        if (!(error instanceof DatabaseError && error.isOutage)) log.warn({ err: error }, "members of other processes cannot be read");
        entry.isStale = true;
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  function refresh(entry: Followed): void {
    entry.isStale = true;
    entry.reading ??= read(entry).finally(() => {
      entry.reading = undefined;
    });
  }

  /** Renews the members of this process and removes those of processes that have ended. */
  async function renew(): Promise<void> {
    for (const [key, { topic, isPrivate }] of followed) if (topics.of(topic, isPrivate).size === 0) followed.delete(key);
    if (own.size === 0 && changed.size === 0 && followed.size === 0) return;
    // In a transaction of its own, which no other member can undo.
    const renewed = own.size > 0 ? await database.transaction((tx) => renewMembers(tx, process)) : new Set();
    // After a crash of the database the table is empty.
    for (const [id, entry] of own) if (!renewed.has(id) && !changed.has(id)) changed.set(id, entry);
    writeLater();
    const removed = await database.transaction(async (tx) => {
      const expired = await removeExpiredMembers(tx);
      await announce(tx, expired);
      return expired;
    });
    for (const { topic, isPrivate } of removed) {
      const entry = followed.get(keyOf(topic, isPrivate));
      if (entry) refresh(entry);
    }
  }

  const stopListening = await database.listen(CHANNEL, (text) => {
    // Empty: announcements may have been missed.
    if (text === "") return followed.values().forEach(refresh);
    const [origin, topic, isPrivate] = announcedSchema.parse(JSON.parse(text));
    const entry = followed.get(keyOf(topic, isPrivate));
    if (entry && origin !== process) refresh(entry);
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
      if (!known) refresh(entry);
      await entry.reading;
      return entry.members;
    },
    publish(topic, isPrivate, id, member) {
      if (member) own.set(id, { topic, isPrivate, member });
      else own.delete(id);
      changed.set(id, { topic, isPrivate, member });
      writeLater();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      followed.clear();
      await stopListening();
      await writing;
      if (own.size === 0 && changed.size === 0) return;
      const leave = database.transaction(async (tx) => announce(tx, await removeOwnMembers(tx, process)));
      await leave.catch((error: unknown) => log.warn({ err: error }, "members of realtime topics cannot be removed"));
    },
  };
}
