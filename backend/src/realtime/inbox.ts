import type { Outgoing } from "./message.ts";

/** The most messages that wait for the response to a join; more are dropped. */
const MAX_WAITING = 100;

/** Holds the messages of a channel back until its join is answered. */
export interface Inbox {
  deliver(message: Outgoing): void;
  /** Delivers stored messages, then those that came in the meantime; a message that is in both is delivered once. */
  start(stored: readonly Outgoing[]): void;
}

/** Creates the inbox of a channel that has not joined yet. */
export function createInbox(show: (message: Outgoing) => void): Inbox {
  let waiting: Outgoing[] | undefined = [];
  return {
    deliver(message) {
      if (!waiting) show(message);
      else if (waiting.length < MAX_WAITING) waiting.push(message);
    },
    start(stored) {
      const ids = new Set(stored.map(idOf));
      const later = (waiting ?? []).filter((message) => idOf(message) === undefined || !ids.has(idOf(message)));
      waiting = undefined;
      for (const message of [...stored, ...later]) show(message);
    },
  };
}

function idOf({ message }: Outgoing): string | undefined {
  return message.meta?.id;
}
