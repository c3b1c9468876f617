import type { Database } from "./database.ts";

/** Returns the database for essential work: its writes may use the reserve that the embedded database keeps for a full disk. */
export function withReserve(database: Database): Database {
  return { ...database, transaction: (work, options) => database.transaction(work, { ...options, useReserve: true }) };
}
