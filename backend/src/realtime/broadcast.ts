import { z } from "zod";
import type { Outgoing } from "./message.ts";
import type { Services } from "./services.ts";
import type { Subscriber } from "./topics.ts";

const MAX_EVENT_LENGTH = 255;
/** Any other value than `persist: false` in the metadata requests that the message is stored. */
const metaSchema = z.object({ persist: z.literal(false).optional() });

/** Reads the payload of a `broadcast` frame; without Zod, which would cost more per message. */
export function readBroadcast(given: unknown): { event: string; payload: unknown } | { error: string } {
  if (typeof given !== "object" || given === null || !("event" in given)) return { error: "invalid_payload" };
  const { event } = given;
  if (typeof event !== "string" || event.length > MAX_EVENT_LENGTH) return { error: "invalid_payload" };
  // Not sent at all, because the sender expects the message to be stored.
  if ("meta" in given && given.meta !== undefined && !metaSchema.safeParse(given.meta).success) return { error: "persist_not_supported" };
  return { event, payload: "payload" in given ? given.payload : undefined };
}

/** Sends a message to the subscribers of its topic, here at once and through the database to those of other processes. */
export function sendBroadcast(services: Services, message: Outgoing, except?: Subscriber): Promise<void> | void {
  services.topics.publish(message, except);
  if (services.feed.hasOthers) return share(services, message);
}

async function share({ feed, log }: Services, message: Outgoing): Promise<void> {
  const { topic, private: isPrivate, event, payload } = message.message;
  try {
    await feed.send({ topic, private: isPrivate, event, payload, binary: Buffer.isBuffer(payload) });
  } catch (error) {
    log.warn({ err: error }, "broadcast did not reach other processes");
  }
}
