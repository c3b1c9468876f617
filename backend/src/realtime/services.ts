import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { FramesOfChanges } from "./frames/change-frames.ts";
import type { DatabaseFeed } from "./database/feed.ts";
import type { createFrameWriters } from "./frames/frame-writer.ts";
import type { Presence } from "./presence/presence.ts";
import type { ReadToken } from "./token.ts";
import type { Throttle } from "./throttle.ts";
import type { Topics } from "./topics.ts";

/** Dependencies shared by all sockets and channels. */
export interface Services {
  database: Database;
  feed: DatabaseFeed;
  topics: Topics;
  presence: Presence;
  readToken: ReadToken;
  throttle: Throttle;
  limits: Config["realtime"];
  /** The longest frame and body of a request. */
  maxFrameBytes: number;
  framesOfChanges: FramesOfChanges;
  frameWriter: ReturnType<typeof createFrameWriters>;
  /** True if one more client may have channels; for a signed-in one, an anonymous one is disconnected if there are too many. */
  hasPlace(isSignedIn: boolean): boolean;
  log: Logger;
}
