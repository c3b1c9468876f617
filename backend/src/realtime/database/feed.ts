import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { DatabaseBudget } from "../../anonymous/database-budget.ts";
import type { Database } from "../../db/database.ts";
import { type Change, changeOf } from "./change.ts";
import { type Caller, createAsk } from "./ask.ts";
import { audiencesOf } from "./audiences.ts";
import { MOST_CHARACTERS_TOGETHER, prepareDelivery } from "./delivery.ts";
import { createMessageSender, type DatabaseMessage, readMessage, replayMessages, type StoredMessages } from "./messages.ts";
import { createOutbox, type OutboxRow } from "./outbox.ts";
import { createPublished } from "./published.ts";
import { type ChangeRequest, checkRequests, parseRequests } from "./requests.ts";
import { readTopicRights, type TopicRights } from "./rights.ts";
import { createSubscribers, type Deliver, type Subscriber } from "./subscribers.ts";

/** The part of the realtime API that reads and writes the database. */
export interface DatabaseFeed extends AsyncDisposable {
  /**
   * Checks and adds the subscriptions of one join; fails with a `RealtimeError`. `deliver` is called with changes in commit order,
   * each the `data` of a `postgres_changes` frame and the indexes of the requests that it matches; equal subscribers get the same objects.
   * `onLoss` is called if changes may be missing after a long outage of the database: the client should join again. `signal` ends a
   * subscription that still waits.
   */
  subscribe(
    caller: Caller,
    requests: readonly ChangeRequest[],
    deliver: Deliver,
    options?: { onLoss?: () => void; signal?: AbortSignal },
  ): Promise<{ update(caller: Caller): Promise<void>; end(): void }>;
  /** Evaluates the policies on `realtime.messages` for a caller and a private topic. */
  authorise(caller: Caller, topic: string): Promise<TopicRights>;
  /** Calls `listener` with messages that SQL or another process sent, for every topic. */
  onMessage(listener: (message: DatabaseMessage) => void): () => void;
  /** True if another process may have subscribers. */
  readonly hasOthers: boolean;
  /** Sends a broadcast of this process to the other processes. */
  send(message: Omit<DatabaseMessage, "id" | "transaction">): Promise<void>;
  /** Reads stored messages of a private topic: the newest `limit` after `since` (milliseconds since 1970), oldest first. */
  replay(caller: Caller, topic: string, since: number, limit: number): Promise<StoredMessages>;
}

// With many subscribers the system call for each socket costs the most, so that several changes together cost about as much as one.
const PAUSE_MS_PER_SUBSCRIBER = 0.04;
const LONGEST_PAUSE_MS = 40;

interface FeedOptions {
  database: Database;
  /** The budget of anonymous callers, shared with the other APIs. */
  budget: DatabaseBudget;
  /** The time limit of a statement of a caller outside of the budget; for tests. */
  statementMs?: number | undefined;
  log: Logger;
}

/** Opens the feed of a database, which reads the outbox until it is disposed. */
export async function openFeed({ database, budget, statementMs, log }: FeedOptions): Promise<DatabaseFeed> {
  const ask = createAsk(database, budget, statementMs);
  const subscribers = createSubscribers();
  const published = createPublished(database);
  const listeners = new Set<(message: DatabaseMessage) => void>();
  const outbox = createOutbox({
    database,
    deliver,
    pauseMs: () => Math.min(LONGEST_PAUSE_MS, subscribers.count() * PAUSE_MS_PER_SUBSCRIBER),
    onLoss() {
      log.warn("database changes may be missing: the process had no connection for too long");
      for (const { members } of [...subscribers.groups.values()]) for (const { onLoss } of [...members]) onLoss?.();
    },
    onRenew: () => (subscribers.groups.size > 0 ? published.follow() : Promise.resolve()),
    areChangesWanted: () => subscribers.groups.size > 0,
    log,
  });
  const delivery = { database, ask, subscribers, log };
  /** Rows that only the anonymous subscribers have not received: in an outage rows are delivered again. */
  const sent = new Set<OutboxRow["id"]>();
  const sendToOthers = createMessageSender(database, outbox.id);
  // Messages of SQL and of other processes are received from the start.
  await outbox.start(false).catch(async (error: unknown) => {
    await outbox.close();
    throw error;
  });

  async function deliver(rows: readonly OutboxRow[]): Promise<void> {
    const changes = new Map<OutboxRow, Change>();
    const changesOf = (some: readonly OutboxRow[]): Change[] => some.flatMap((row) => changes.get(row) ?? []);
    for (const row of rows) {
      const change = changeOf(row);
      if (change) changes.set(row, change);
    }
    const audiences = changes.size > 0 ? audiencesOf(subscribers) : new Map<never, never>();
    // Anonymous subscribers come second, so that nobody waits for their filters.
    const early = rows.filter(({ id }) => !sent.has(id));
    const sendEarly = await prepareDelivery(delivery, audiences, changesOf(early), false);
    let together: OutboxRow[] = [];
    let charactersOfMessages = 0;
    for (const row of early) {
      sent.add(row.id);
      if (row.message === null) {
        together.push(row);
        continue;
      }
      await sendEarly(changesOf(together));
      together = [];
      if (row.sender === outbox.id) continue;
      charactersOfMessages += row.message.length;
      if (charactersOfMessages > MOST_CHARACTERS_TOGETHER) {
        await nextTurn();
        charactersOfMessages = row.message.length;
      }
      publish(readMessage(row.message, row.transaction));
    }
    await sendEarly(changesOf(together));
    const sendLate = await prepareDelivery(delivery, audiences, changesOf(rows), true);
    await sendLate(changesOf(rows));
    sent.clear();
  }

  function publish(message: DatabaseMessage): void {
    for (const listener of listeners)
      try {
        listener(message);
      } catch (error) {
        log.error({ err: error }, "a listener failed");
      }
  }

  return {
    async subscribe(caller, requests, onChange, { onLoss, signal } = {}) {
      const wanted = parseRequests(requests);
      await checkRequests(ask, caller, wanted, await published.get(caller.role), signal);
      const subscriber: Subscriber = { requests: wanted, key: JSON.stringify(wanted), deliver: onChange, onLoss };
      subscribers.assign(subscriber, caller);
      try {
        await outbox.start(true);
      } catch (error) {
        subscribers.remove(subscriber);
        throw error;
      }
      return {
        async update(next) {
          await checkRequests(ask, next, wanted, await published.get(next.role), signal);
          if (subscribers.has(subscriber)) subscribers.assign(subscriber, next);
        },
        end: () => subscribers.remove(subscriber),
      };
    },
    authorise: (caller, topic) => readTopicRights(ask, caller, topic),
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get hasOthers() {
      return outbox.hasOthers;
    },
    send: sendToOthers,
    replay: (caller, topic, since, limit) => replayMessages(ask, caller, topic, since, limit),
    [Symbol.asyncDispose]: () => outbox.close(),
  };
}
