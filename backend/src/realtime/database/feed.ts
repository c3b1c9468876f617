import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";
import { type Change, changeOf } from "./change.ts";
import { prepareDelivery } from "./delivery.ts";
import { createMessageSender, type DatabaseMessage, readMessage, replayMessages } from "./messages.ts";
import { createOutbox, type OutboxRow } from "./outbox.ts";
import { createPublished } from "./published.ts";
import { type Caller, type ChangeRequest, checkRequests, parseRequests } from "./requests.ts";
import { readTopicRights, type TopicRights } from "./rights.ts";
import { createSubscribers, type Deliver, type Subscriber } from "./subscribers.ts";

/** The part of the realtime API that reads and writes the database. */
export interface DatabaseFeed extends AsyncDisposable {
  /**
   * Checks and adds the subscriptions of one join; fails with a `RealtimeError`. `deliver` is called in commit order with the
   * `data` of a `postgres_changes` frame and the indexes of the requests that it matches; equal subscribers get the same object.
   * `onLoss` is called if changes may be missing after a long outage of the database: the client should join again.
   */
  subscribe(
    caller: Caller,
    requests: readonly ChangeRequest[],
    deliver: Deliver,
    onLoss?: () => void,
  ): Promise<{ update(caller: Caller): Promise<void>; end(): void }>;
  /** Asks the policies on `realtime.messages` what a caller may do on a private topic. */
  authorise(caller: Caller, topic: string): Promise<TopicRights>;
  /** Calls `listener` with messages that SQL or another process sent, for every topic. */
  onMessage(listener: (message: DatabaseMessage) => void): () => void;
  /** Sends a broadcast of this process to the other processes, if there are any. */
  send(message: Omit<DatabaseMessage, "id">): Promise<void>;
  /** Reads stored messages of a private topic: the newest `limit` after `since` (milliseconds since 1970), oldest first. */
  replay(caller: Caller, topic: string, since: number, limit: number): Promise<DatabaseMessage[]>;
}

/** Opens the feed of a database. It reads the outbox while there is a subscriber or a listener. */
export async function openFeed({ database, log }: { database: Database; log: Logger }): Promise<DatabaseFeed> {
  const subscribers = createSubscribers();
  const published = createPublished(database);
  const listeners = new Set<(message: DatabaseMessage) => void>();
  const outbox = createOutbox({
    database,
    deliver,
    onLoss() {
      log.warn("database changes may be missing: the process had no connection for too long");
      for (const { members } of [...subscribers.groups.values()]) for (const { onLoss } of [...members]) onLoss?.();
    },
    onRenew: () => (subscribers.groups.size > 0 ? published.follow() : Promise.resolve()),
    areChangesWanted: () => subscribers.groups.size > 0,
    log,
  });
  const sendToOthers = createMessageSender(database, outbox.id);
  // Messages of SQL and of other processes are received from the start.
  await outbox.start(false);

  async function deliver(rows: readonly OutboxRow[]): Promise<void> {
    const changes = new Map<OutboxRow, Change>();
    for (const row of rows) {
      const change = changeOf(row);
      if (change) changes.set(row, change);
    }
    const send = await prepareDelivery(database, subscribers, [...changes.values()]);
    for (const row of rows) {
      const change = changes.get(row);
      if (change) guard(() => send(change));
      else if (row.message !== null && row.sender !== outbox.id) {
        const message = readMessage(row.message);
        for (const listener of listeners) guard(() => listener(message));
      }
    }
  }

  function guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      log.error({ err: error }, "a subscriber failed");
    }
  }

  return {
    async subscribe(caller, requests, onChange, onLoss) {
      const wanted = parseRequests(requests);
      await checkRequests(database, caller, wanted, await published.get(caller.role));
      const subscriber: Subscriber = { requests: wanted, deliver: onChange, onLoss };
      subscribers.place(subscriber, caller);
      try {
        await outbox.start(true);
      } catch (error) {
        subscribers.remove(subscriber);
        throw error;
      }
      return {
        async update(next) {
          await checkRequests(database, next, wanted, await published.get(next.role));
          if (subscribers.has(subscriber)) subscribers.place(subscriber, next);
        },
        end: () => subscribers.remove(subscriber),
      };
    },
    authorise: (caller, topic) => readTopicRights(database, caller, topic),
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async send(message) {
      if (outbox.hasOthers) await sendToOthers(message);
    },
    replay: (caller, topic, since, limit) => replayMessages(database, caller, topic, since, limit),
    [Symbol.asyncDispose]: () => outbox.close(),
  };
}
