import { setTimeout as delay } from "node:timers/promises";
import * as SQLSTATE from "../sqlstates.ts";
import { DatabaseError } from "./database.ts";

const MAX_DEADLOCKS = 4;

/** Runs a whole transaction, and again if a statement was stale or, up to four times, if Postgres ended it to resolve a deadlock. */
export async function runAgainIfRefused<T>(run: () => Promise<T>): Promise<T> {
  let isStale = false;
  let deadlocks = 0;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.stale && !isStale) isStale = true;
      else if (error.code === SQLSTATE.deadlockDetected && deadlocks < MAX_DEADLOCKS) {
        deadlocks += 1;
        // Without a pause it could lock its rows again before the transaction that waited for them, and be ended again.
        await delay(deadlocks * 100 * (0.5 + Math.random()));
      } else throw error;
    }
  }
}
