import type { Logger } from "pino";
import type { DatabaseBudget } from "../anonymous/database-budget.ts";
import type { Config } from "../config/config.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../db/database.ts";
import type { Identify, ResolveCredential } from "../identity.ts";
import { openFeed } from "./database/feed.ts";
import { createFrameWriters } from "./frames/frame-writer.ts";
import { createHttp } from "./http/index.ts";
import { outgoing } from "./message.ts";
import { openDatabaseMembers } from "./presence/database-members.ts";
import { createPresence } from "./presence/presence.ts";
import type { Services } from "./services.ts";
import { createSockets, type Sockets } from "./sockets.ts";
import { createChangeFrames } from "./frames/change-frames.ts";
import { createThrottle } from "./throttle.ts";
import { createReadToken } from "./token.ts";
import { createTopics } from "./topics.ts";

export interface RealtimeOptions {
  database: Database;
  resolve: ResolveCredential;
  identify: Identify;
  config: Pick<Config, "realtime">;
  /** The budget of anonymous callers, shared with the other APIs. */
  budget: DatabaseBudget;
  log: Logger;
}

/** The realtime API: WebSockets and the endpoints that broadcast over HTTP. */
export interface Realtime {
  sockets: Sockets;
  fetch(request: Request, connection: Connection): Promise<Response>;
  close(): Promise<void>;
}

/** As on hosted projects. */
const MAX_FRAME_BYTES = 5_000_000;

/** Makes `/realtime/v1`: channels with broadcasts, presence and database changes. */
export async function createRealtime({ database, resolve, identify, config, budget, log }: RealtimeOptions): Promise<Realtime> {
  const topics = createTopics();
  await using opened = new AsyncDisposableStack();
  const feed = opened.use(await openFeed({ database, budget, log }));
  // One process at a time has an embedded database.
  const others = database.kind === "postgres" ? opened.use(await openDatabaseMembers({ database, topics, log })) : undefined;
  // A client that exceeds the limit of payloads a little gets an answer; a longer frame closes its socket.
  const maxFrameBytes = Math.min(MAX_FRAME_BYTES, 2 * config.realtime.max_payload_size_in_kb * 1024 + 65_536);
  const services: Services = {
    maxFrameBytes,
    database,
    feed,
    topics,
    presence: createPresence(topics, others),
    readToken: createReadToken(resolve, database),
    throttle: createThrottle(config.realtime.max_anonymous_frames_per_second),
    limits: config.realtime,
    framesOfChanges: createChangeFrames(),
    frameWriter: createFrameWriters(),
    hasPlace: (isSignedIn) => sockets.hasPlace(isSignedIn),
    log,
  };
  const sockets = createSockets(services);
  const stopMessages = feed.onMessage(({ id, binary: _binary, ...message }) =>
    topics.publish(outgoing({ ...message, ...(id === null ? {} : { meta: { id } }) })),
  );
  const resources = opened.move();
  return {
    sockets,
    fetch: createHttp(services, identify),
    async close() {
      stopMessages();
      sockets.drain();
      await resources.disposeAsync();
    },
  };
}
