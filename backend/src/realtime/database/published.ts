import type { Database } from "../../db/database.ts";
import { readRelations, type Relation } from "./relations.ts";

/** The tables of the publication. */
export interface Published {
  /** Reads the tables as a role sees them, after `follow`. Calls that arrive while one runs share the next one. */
  get(role: string): Promise<ReadonlyMap<number, Relation>>;
  /** Puts the triggers on the tables of the publication, and removes those of other tables. */
  follow(): Promise<void>;
}

export function createPublished(database: Database): Published {
  const waiting = new Map<string, Promise<ReadonlyMap<number, Relation>>>();
  let running: Promise<unknown> = Promise.resolve();

  async function follow(): Promise<void> {
    await database.transaction((tx) => tx.query("select realtime.follow_publication()"));
  }

  async function read(role: string): Promise<ReadonlyMap<number, Relation>> {
    await running.catch(() => undefined);
    waiting.delete(role);
    const reading = follow().then(() => readRelations(database, [role]));
    running = reading;
    return (await reading).get(role) ?? new Map<number, Relation>();
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
