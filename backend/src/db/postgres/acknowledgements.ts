import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Row } from "../database.ts";

/** The channel of the questions, each of which a process acknowledges after all earlier announcements. */
export const QUESTIONS = "listening_processes";

const ARRIVAL = "arrival";
const LONGEST_PAUSE_MS = 16;
const MAX_QUESTIONS = 1000;

const ASK = "select pg_notify($1, $2)";
const LISTENING = `select pid, application_name as name from pg_stat_activity
  where datname = current_database() and application_name like 'listening %' and pid <> pg_backend_pid()`;

/** A record of the announcements that other processes on the same server have acknowledged (decision 050). */
interface Acknowledgements {
  /**
   * The application name of the listening connection: a number that changes each time, and the last question received. It is
   * published with a statement on that connection.
   */
  nextName(): string;
  /** The name to publish has changed because of a question of another process. */
  readonly isDue: boolean;
  /** To call with each payload of `QUESTIONS`. */
  receive(payload: string): void;
  /** To call when an announcement was received that all processes must receive. */
  announced(): void;
  /** Announces to the other processes that this one listens. */
  arrive(): Promise<void>;
  /** To call when messages may have been missed. */
  lost(): void;
  /**
   * Resolves when all other processes have received the announcements that this one has received, except those whose connection has
   * answered nothing for `limitMs`, which serve no cached page.
   */
  settled(): Promise<void>;
}

interface OtherProcess {
  name: string | undefined;
  since: number;
}

/** Creates the record of one process; `send` runs a statement on its listening connection. */
export function createAcknowledgements(
  send: (text: string, values: readonly string[]) => Promise<Row[]>,
  limitMs: number,
): Acknowledgements {
  const own = randomUUID().slice(0, 8);
  const others = new Map<number, OtherProcess>();
  /** Questions in the order in which every process receives them. */
  const order = new Map<string, number>();
  let received = 0;
  let latest = "-";
  let published = latest;
  let names = 0;
  let questions = 0;
  let arrivals = 0;
  let isAlone = false;
  let announcements = 0;
  let settledTo = 0;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function settle(): Promise<void> {
    next = undefined;
    const upTo = announcements;
    running = ask();
    await running.finally(() => (running = undefined));
    settledTo = upTo;
  }

  async function ask(): Promise<void> {
    const deadline = performance.now() + limitMs;
    const question = `${own}.${(questions += 1)}`;
    try {
      await send(ASK, [QUESTIONS, question]);
      for (let pauseMs = 1; (await isAwaiting(question)) && performance.now() < deadline; pauseMs *= 2)
        await delay(Math.min(pauseMs, LONGEST_PAUSE_MS));
    } catch {
      // The connection is lost, so it is not known what others received.
      await delay(deadline - performance.now());
    }
  }

  async function isAwaiting(question: string): Promise<boolean> {
    const arrivalsBefore = arrivals;
    const rows = await send(LISTENING, []);
    const now = performance.now();
    const present = new Map(rows.map(({ pid, name }) => [Number(pid), String(name)]));
    for (const pid of new Set([...others.keys(), ...present.keys()])) {
      const name = present.get(pid);
      const known = others.get(pid);
      if (!known || known.name !== name) others.set(pid, { name, since: now });
      else if (name === undefined && now - known.since >= limitMs) others.delete(pid);
    }
    isAlone = others.size === 0 && arrivals === arrivalsBefore;
    return [...others.values()].some(({ name, since }) => now - since < limitMs && !hasAcknowledged(name, question));
  }

  function hasAcknowledged(name: string | undefined, question: string): boolean {
    const position = order.get(name?.split(" ")[2] ?? "");
    const needed = order.get(question);
    return position !== undefined && needed !== undefined && position >= needed;
  }

  return {
    nextName() {
      published = latest;
      return `listening ${(names += 1)} ${latest}`;
    },
    get isDue() {
      return published !== latest;
    },
    receive(payload) {
      if (payload === ARRIVAL) {
        arrivals += 1;
        isAlone = false;
        return;
      }
      order.set(payload, (received += 1));
      const [oldest] = order.keys();
      if (oldest !== undefined && order.size > MAX_QUESTIONS) order.delete(oldest);
      const wasDue = published !== latest;
      latest = payload;
      // Its own question needs no answer, but earlier ones of others may.
      if (payload.startsWith(`${own}.`) && !wasDue) published = latest;
    },
    announced() {
      announcements += 1;
    },
    async arrive() {
      await send(ASK, [QUESTIONS, ARRIVAL]);
    },
    lost() {
      arrivals += 1;
      isAlone = false;
    },
    async settled() {
      if (isAlone || settledTo === announcements) return;
      await (running ? (next ??= running.then(settle)) : settle());
    },
  };
}
