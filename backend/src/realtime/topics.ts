import type { Outgoing } from "./message.ts";
import type { SharedFrame } from "./protocol/shared-frame.ts";

/** A channel as the receiver of messages. */
export interface Subscriber {
  deliver(message: Outgoing): void;
  /** Delivers members that joined and left. */
  deliverPresence(diff: SharedFrame): void;
}

/** The subscribers of this process by topic. A private and a public topic of the same name are two topics. */
export interface Topics {
  add(topic: string, isPrivate: boolean, subscriber: Subscriber): void;
  remove(topic: string, isPrivate: boolean, subscriber: Subscriber): void;
  of(topic: string, isPrivate: boolean): ReadonlySet<Subscriber>;
  /** Delivers a message to all subscribers of its topic but `except`. */
  publish(message: Outgoing, except?: Subscriber): void;
}

const NOBODY: ReadonlySet<never> = new Set();

/** Creates an empty register of subscribers. */
export function createTopics(): Topics {
  const privateTopics = new Map<string, Set<Subscriber>>();
  const publicTopics = new Map<string, Set<Subscriber>>();

  function of(topic: string, isPrivate: boolean): ReadonlySet<Subscriber> {
    return (isPrivate ? privateTopics : publicTopics).get(topic) ?? NOBODY;
  }

  return {
    of,
    add(topic, isPrivate, subscriber) {
      const topics = isPrivate ? privateTopics : publicTopics;
      const known = topics.get(topic);
      if (known) known.add(subscriber);
      else topics.set(topic, new Set([subscriber]));
    },
    remove(topic, isPrivate, subscriber) {
      const topics = isPrivate ? privateTopics : publicTopics;
      const known = topics.get(topic);
      known?.delete(subscriber);
      if (known?.size === 0) topics.delete(topic);
    },
    publish(message, except) {
      for (const subscriber of of(message.message.topic, message.message.private)) if (subscriber !== except) subscriber.deliver(message);
    },
  };
}

/** The name of a topic in maps. */
export function keyOf(topic: string, isPrivate: boolean): string {
  return `${isPrivate ? "private" : "public"}:${topic}`;
}
