import type { Database } from "./database.ts";
import { createPool, type Pool } from "./pool.ts";

/** Creates the turns of an API's transactions: other work waits for a few of them at most, however many requests there are. */
export function createTurns({ kind }: Pick<Database, "kind">): Pool<null> {
  return createPool(kind === "pglite" ? [null] : [null, null, null, null]);
}

/** Returns the database for an API whose transactions take turns. */
export function inTurns(database: Database): Database {
  const turns = createTurns(database);
  return { ...database, transaction: (work, options) => turns.use(() => database.transaction(work, options), options?.signal) };
}
