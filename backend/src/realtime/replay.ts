import { z } from "zod";
import { DatabaseError } from "../db/database.ts";
import type { Caller } from "./database/ask.ts";
import type { DatabaseFeed } from "./database/feed.ts";
import { RealtimeError } from "./errors.ts";
import type { Replay } from "./inbox.ts";
import { outgoing } from "./message.ts";

const replaySchema = z.object({
  since: z.number(),
  limit: z
    .int()
    .min(1)
    .max(25)
    .nullish()
    .transform((limit) => limit ?? 10),
});

/** The replay of a client that wants none. */
export const NO_REPLAY: Replay = { messages: [], covers: () => false };

/** Reads the stored messages that a client asks for when it joins; fails with a `RealtimeError`. */
export async function readReplay(
  feed: DatabaseFeed,
  caller: Caller,
  topic: string,
  isPrivate: boolean,
  requested: unknown,
): Promise<Replay> {
  if (requested === undefined || requested === null) return NO_REPLAY;
  if (!isPrivate) throw new RealtimeError("UnableToReplayMessages", "Replay is not allowed for public channels");
  const { data } = replaySchema.safeParse(requested);
  if (!data) throw new RealtimeError("UnableToReplayMessages", "Replay params are not valid");
  const { messages, covers } = await feed.replay(caller, topic, data.since, data.limit).catch((error: unknown) => {
    // A policy may fail for a message.
    if (!(error instanceof DatabaseError) || error.isOutage) throw error;
    throw new RealtimeError("UnableToReplayMessages", "Realtime was unable to replay messages");
  });
  return {
    messages: messages.map(({ event, payload, id }) => outgoing({ topic, private: true, event, payload, meta: { replayed: true, id } })),
    covers,
  };
}
