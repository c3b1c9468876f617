import type { Outgoing } from "./message.ts";
import type { Services } from "./services.ts";
import type { Subscriber } from "./topics.ts";

/** Sends a message to the subscribers of its topic, here at once and through the database to those of other processes. */
export async function sendBroadcast({ topics, feed, log }: Services, message: Outgoing, except?: Subscriber): Promise<void> {
  topics.publish(message, except);
  const { topic, private: isPrivate, event, payload } = message.message;
  try {
    await feed.send({ topic, private: isPrivate, event, payload, binary: Buffer.isBuffer(payload) });
  } catch (error) {
    log.warn({ err: error }, "broadcast did not reach other processes");
  }
}
