import { setTimeout as delay } from "node:timers/promises";
import { createPool } from "../db/pool.ts";
import { ANONYMOUS_STATEMENT_MS } from "./database-budget.ts";

const SLOW_MS = 100;

/** Runs a request when it is its turn. */
export type TakeTurn = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Lets anonymous requests run one at a time, and pauses after a slow one for as long as it took: on the embedded database a page
 * with several reads then waits for one of them at most (docs/decisions/005-statement-timeouts.md).
 */
export function createAnonymousTurns(): TakeTurn {
  const queue = createPool([null]);

  return (run, signal) =>
    queue.use(async () => {
      const started = performance.now();
      try {
        return await run();
      } finally {
        const elapsedMs = performance.now() - started;
        if (elapsedMs > SLOW_MS) await delay(Math.min(elapsedMs, ANONYMOUS_STATEMENT_MS));
      }
    }, signal);
}
