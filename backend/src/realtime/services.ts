import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { DatabaseFeed } from "./database/feed.ts";
import type { Presence } from "./presence/presence.ts";
import type { ReadToken } from "./token.ts";
import type { Topics } from "./topics.ts";

/** Dependencies shared by all sockets and channels. */
export interface Services {
  database: Database;
  feed: DatabaseFeed;
  topics: Topics;
  presence: Presence;
  readToken: ReadToken;
  limits: Config["realtime"];
  /** The longest frame and body of a request. */
  maxFrameBytes: number;
  /** Returns the JSON text of a database change, which is written once for all subscribers. */
  jsonOf(change: object): string;
  /** Counts the connected clients that have a channel. */
  countUsers(): number;
  log: Logger;
}
