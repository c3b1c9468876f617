import type { Database } from "./database.ts";
import { createPool } from "./pool.ts";

/** Returns the database for an API whose transactions take turns: other work waits for a few of them at most, however many requests there are. */
export function inTurns(database: Database): Database {
  const turns = createPool(database.kind === "pglite" ? [null] : [null, null, null, null]);
  return { ...database, transaction: (work, options) => turns.use(() => database.transaction(work, options), options?.signal) };
}
