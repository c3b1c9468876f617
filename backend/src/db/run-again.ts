import * as SQLSTATE from "../sqlstates.ts";
import { DatabaseError } from "./database.ts";

/** Runs a whole transaction, and once more if one of its statements was stale or Postgres ended it to resolve a deadlock. */
export async function runAgainIfRefused<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DatabaseError && (error.stale || error.code === SQLSTATE.deadlockDetected)) return run();
    throw error;
  }
}
