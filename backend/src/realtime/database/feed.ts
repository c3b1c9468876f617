import type { Logger } from "pino";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../identity.ts";

/** The caller of a channel. */
export type Caller = Pick<Identity, "role" | "claims">;

/** One request for database changes, as a client writes it. */
export interface ChangeRequest {
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  table?: string;
  filter?: string;
  select?: string;
}

/** A broadcast that the database or another process sent. */
export interface DatabaseMessage {
  topic: string;
  private: boolean;
  event: string;
  /** JSON, or a `Buffer` if `binary`. */
  payload: unknown;
  id: string | null;
  binary: boolean;
}

/** The part of the realtime API that reads and writes the database. */
export interface DatabaseFeed extends AsyncDisposable {
  /**
   * Checks and adds the subscriptions of one join; fails with a `RealtimeError`. `deliver` is called in commit order with the
   * `data` of a `postgres_changes` frame and the indexes of the requests that it matches.
   */
  subscribe(
    caller: Caller,
    requests: ChangeRequest[],
    deliver: (change: { data: object; matches: number[] }) => void,
  ): Promise<{ update(caller: Caller): Promise<void>; end(): void }>;
  /** Asks the policies on `realtime.messages` what a caller may do on a private topic. */
  authorise(
    caller: Caller,
    topic: string,
  ): Promise<{ broadcast: { read: boolean; write: boolean }; presence: { read: boolean; write: boolean } }>;
  /** Calls `listener` with messages that SQL or another process sent, for every topic. */
  onMessage(listener: (message: DatabaseMessage) => void): () => void;
  /** Sends a broadcast of this process to the other processes. */
  send(message: Omit<DatabaseMessage, "id">): Promise<void>;
  /** Reads stored messages of a private topic: the newest `limit` after `since` (milliseconds since 1970), oldest first. */
  replay(caller: Caller, topic: string, since: number, limit: number): Promise<object[]>;
}

/** Opens the feed of a database. */
export function openFeed(_options: { database: Database; log: Logger }): Promise<DatabaseFeed> {
  const nothing = { read: false, write: false };
  return Promise.resolve({
    subscribe: () => Promise.resolve({ update: () => Promise.resolve(), end: () => undefined }),
    authorise: () => Promise.resolve({ broadcast: nothing, presence: nothing }),
    onMessage: () => () => undefined,
    send: () => Promise.resolve(),
    replay: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}
