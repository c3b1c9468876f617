import type { Outgoing } from "./message.ts";

/** The most messages that wait for the response to a join; more are dropped. */
const MAX_WAITING = 100;

/** Holds the messages of a channel back until its join is answered. */
export interface Inbox {
  deliver(message: Outgoing): void;
  /** Delivers stored messages, then those that came in the meantime; a message that is in both, or comes later, is delivered once. */
  start(stored: readonly Outgoing[]): void;
}

/** Creates the inbox of a channel that has not joined yet. */
export function createInbox(show: (message: Outgoing) => void): Inbox {
  let waiting: Outgoing[] | undefined = [];
  /** The ids of stored messages that have not arrived yet: they are announced after the commit that stored them. */
  const expected = new Set<string>();

  function showOnce(message: Outgoing): void {
    const id = message.message.meta?.id;
    if (id === undefined || !expected.delete(id)) show(message);
  }

  return {
    deliver(message) {
      if (!waiting) showOnce(message);
      else if (waiting.length < MAX_WAITING) waiting.push(message);
    },
    start(stored) {
      const later = waiting ?? [];
      waiting = undefined;
      for (const message of stored) {
        const { id } = message.message.meta ?? {};
        if (id !== undefined) expected.add(id);
        show(message);
      }
      for (const message of later) showOnce(message);
    },
  };
}
