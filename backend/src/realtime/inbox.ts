import type { Outgoing } from "./message.ts";

/** The most bytes of messages that wait for the response to a join, or later for the client to read earlier ones. */
const MAX_WAITING_BYTES = 1_000_000;
/** A message of any size counts as this many bytes more. */
const BYTES_PER_MESSAGE = 100;

/** The stored messages that a client receives when it joins. */
export interface Replay {
  messages: readonly Outgoing[];
  /** True if the messages of this transaction were stored when the replay was read: it has them, or its limits left them out. */
  covers(transaction: number): boolean;
}

interface InboxOptions {
  show(message: Outgoing): void;
  /** Waits until the client has read enough to receive a message; undefined if it has. */
  waitForRoom(message: Outgoing): Promise<void> | undefined;
  /** Called if a message is lost because too many wait; the client should join again. */
  onLoss(): void;
}

/** Holds the messages of a channel back until its join is answered and the client has read the stored messages. */
interface Inbox {
  deliver(message: Outgoing): void;
  /**
   * Delivers a replay and the messages that came in the meantime, no faster than the client reads. A message that the replay covers and
   * that also arrives by itself, before or after, is not delivered again.
   */
  start(replay: Replay): Promise<void> | void;
  /** Forgets the messages that wait. */
  end(): void;
}

/** Creates the inbox of a channel that has not joined yet. */
export function createInbox({ show, waitForRoom, onLoss }: InboxOptions): Inbox {
  /** Not the replay itself, whose messages would stay in memory as long as the channel. */
  let covers: Replay["covers"] | undefined;
  /** The messages that are shown as the client reads them. */
  let current: Outgoing[] = [];
  /** The messages behind them; undefined if messages are shown at once. */
  let waiting: Outgoing[] | undefined = [];
  let waitingBytes = 0;
  /** The transactions of messages that came before the replay and could not wait: they are lost unless it covers them. */
  const missed = new Set<number>();

  function isCovered({ message: { transaction } }: Outgoing): boolean {
    return typeof transaction === "number" && covers?.(transaction) === true;
  }

  function takeWaiting(): Outgoing[] {
    const taken = waiting ?? [];
    waiting = [];
    waitingBytes = 0;
    return taken;
  }

  function roomForNext(): Promise<void> | undefined {
    const [next] = current;
    return next && waitForRoom(next);
  }

  async function showCurrent(): Promise<void> {
    while (current.length > 0) {
      // Another channel of the socket may take the room first.
      for (let room = roomForNext(); room; room = roomForNext()) await room;
      const next = current.shift();
      if (next) show(next);
      if (current.length === 0) current = takeWaiting();
    }
    waiting = undefined;
  }

  return {
    deliver(message) {
      if (isCovered(message)) return;
      if (!waiting) return show(message);
      waitingBytes += message.size + BYTES_PER_MESSAGE;
      const { transaction } = message.message;
      if (waitingBytes <= MAX_WAITING_BYTES) waiting.push(message);
      else if (!covers && typeof transaction === "number") missed.add(transaction);
      else onLoss();
    },
    start(replay) {
      ({ covers } = replay);
      if (missed.values().some((transaction) => !replay.covers(transaction))) return onLoss();
      missed.clear();
      current = [...replay.messages, ...takeWaiting().filter((message) => !isCovered(message))];
      return showCurrent();
    },
    end() {
      current = [];
      waiting = [];
    },
  };
}
