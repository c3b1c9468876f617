import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import { readRelations, type Relation } from "./relations.ts";

/** The tables of the publication. */
interface Published {
  /**
   * Reads the tables as a role sees them, after `follow`. Calls that arrive while one runs share the next one. Those of anonymous callers
   * wait after each read four times as long as it took, at most a second.
   */
  get(role: string): Promise<ReadonlyMap<number, Relation>>;
  /** Puts the triggers on the tables of the publication, and removes those of other tables. */
  follow(): Promise<void>;
}

const ANONYMOUS_PAUSE = 4;
const LONGEST_PAUSE_MS = 1000;

export function createPublished(database: Database): Published {
  const waiting = new Map<string, Promise<ReadonlyMap<number, Relation>>>();
  let running: Promise<unknown> = Promise.resolve();
  let anonymousFrom = 0;

  async function follow(): Promise<void> {
    await database.transaction((tx) => tx.query("select realtime.follow_publication()"));
  }

  async function read(role: string): Promise<ReadonlyMap<number, Relation>> {
    if (role === "anon") await delay(Math.max(0, anonymousFrom - performance.now()));
    await running.catch(() => undefined);
    waiting.delete(role);
    const started = performance.now();
    const reading = follow().then(() => readRelations(database, [role]));
    running = reading;
    try {
      return (await reading).get(role) ?? new Map<number, Relation>();
    } finally {
      const now = performance.now();
      if (role === "anon") anonymousFrom = now + Math.min(LONGEST_PAUSE_MS, (now - started) * ANONYMOUS_PAUSE);
    }
  }

  return {
    get(role) {
      const next = waiting.get(role) ?? read(role);
      waiting.set(role, next);
      return next;
    },
    follow,
  };
}
