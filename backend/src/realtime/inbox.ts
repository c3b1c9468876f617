import type { Outgoing } from "./message.ts";

/** The most bytes of messages that wait for the response to a join, or later for the client to read earlier ones. */
const MAX_WAITING_BYTES = 1_000_000;
/** A message of any size counts as this many bytes more. */
const BYTES_PER_MESSAGE = 100;

export interface InboxOptions {
  show(message: Outgoing): void;
  /** Waits until the client has read enough to receive a message; undefined if it has. */
  waitForRoom(message: Outgoing): Promise<void> | undefined;
  /** Called if a message is lost because too many wait; the client should join again. */
  onLoss(): void;
}

/** Holds the messages of a channel back until its join is answered and the client has read the stored messages. */
export interface Inbox {
  deliver(message: Outgoing): void;
  /**
   * Delivers stored messages and those that came in the meantime, in order and no faster than the client reads; a message that is in
   * both, or comes later, is delivered once.
   */
  start(stored: readonly Outgoing[]): Promise<void>;
  /** Forgets the messages that wait. */
  end(): void;
}

/** Creates the inbox of a channel that has not joined yet. */
export function createInbox({ show, waitForRoom, onLoss }: InboxOptions): Inbox {
  /** Undefined if messages are shown at once. */
  let waiting: Outgoing[] | undefined = [];
  let waitingBytes = 0;
  let hasEnded = false;
  /** The ids of stored messages that have not arrived yet: they are announced after the commit that stored them. */
  const expected = new Set<string>();

  function takeWaiting(): Outgoing[] {
    const taken = waiting ?? [];
    waiting = [];
    waitingBytes = 0;
    return taken;
  }

  async function showWaiting(first: Outgoing[]): Promise<void> {
    for (let batch = first; batch.length > 0; batch = takeWaiting())
      for (let next = batch.shift(); next; next = batch.shift()) {
        // Another channel of the socket may take the room first.
        for (let room = waitForRoom(next); room; room = waitForRoom(next)) {
          await room;
          if (hasEnded) return;
        }
        show(next);
      }
    waiting = undefined;
  }

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
      const later = takeWaiting();
      const messages: Outgoing[] = [];
      const ids = new Set(stored.map(idOf));
      for (const message of stored) {
        const id = idOf(message);
        const position = id === undefined ? -1 : later.findIndex((other) => idOf(other) === id);
        if (position === -1 && id !== undefined) expected.add(id);
        // Messages that arrived earlier are older, also stored ones that the limit of the replay left out.
        messages.push(...later.splice(0, position + 1).filter((earlier) => !ids.has(idOf(earlier))), message);
      }
      return showWaiting([...messages, ...later]);
    },
    end() {
      hasEnded = true;
    },
  };
}

function idOf({ message }: Outgoing): string | undefined {
  return message.meta?.id;
}
