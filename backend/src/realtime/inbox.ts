import type { Outgoing } from "./message.ts";

/** The most bytes of messages that wait for the response to a join. */
const MAX_WAITING_BYTES = 1_000_000;
/** A message of any size counts as this many bytes more. */
const BYTES_PER_MESSAGE = 100;

export interface InboxOptions {
  show(message: Outgoing): void;
  /** Called if a message is lost because too many wait; the client should join again. */
  onLoss(): void;
}

/** Holds the messages of a channel back until its join is answered. */
export interface Inbox {
  deliver(message: Outgoing): void;
  /** Delivers stored messages and those that came in the meantime, in order; a message that is in both, or comes later, is delivered once. */
  start(stored: readonly Outgoing[]): void;
}

/** Creates the inbox of a channel that has not joined yet. */
export function createInbox({ show, onLoss }: InboxOptions): Inbox {
  let waiting: Outgoing[] | undefined = [];
  let waitingBytes = 0;
  /** The ids of stored messages that have not arrived yet: they are announced after the commit that stored them. */
  const expected = new Set<string>();

  return {
    deliver(message) {
      const id = message.message.meta?.id;
      if (id !== undefined && expected.delete(id)) return;
      if (!waiting) return show(message);
      waitingBytes += message.size + BYTES_PER_MESSAGE;
      if (waitingBytes > MAX_WAITING_BYTES) onLoss();
      else waiting.push(message);
    },
    start(stored) {
      const later = waiting ?? [];
      waiting = undefined;
      const ids = new Set(stored.map(idOf));
      for (const message of stored) {
        const id = idOf(message);
        const position = id === undefined ? -1 : later.findIndex((other) => idOf(other) === id);
        if (position === -1 && id !== undefined) expected.add(id);
        // Messages that arrived earlier are older, also stored ones that the limit of the replay left out.
        for (const earlier of later.splice(0, position + 1)) if (!ids.has(idOf(earlier))) show(earlier);
        show(message);
      }
      for (const message of later) show(message);
    },
  };
}

function idOf({ message }: Outgoing): string | undefined {
  return message.meta?.id;
}
