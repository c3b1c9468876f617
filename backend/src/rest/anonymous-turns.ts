import { setTimeout as delay } from "node:timers/promises";
import { createPool } from "../db/pool.ts";
import { ANONYMOUS_STATEMENT_MS } from "./database-budget.ts";

const SLOW_MS = 100;
/** The longest time that a request of a network that is not thrifty waits; then it fails with SQLSTATE 53300, a 503. */
const PATIENCE_MS = 1000;

/** Runs an anonymous request when it is its turn; one of a thrifty client network waits for other thrifty ones only. */
export type TakeTurn = <T>(isThrifty: boolean, run: (onCost: (ms: number) => void) => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Lets anonymous requests run one at a time in each of two queues, and pauses a queue after a slow one for as long as it took: on the
 * embedded database a page with several reads then waits for one of each queue at most (docs/decisions/005-statement-timeouts.md).
 */
export function createAnonymousTurns(): TakeTurn {
  const thrifty = createPool([null]);
  const others = createPool([null], { patienceMs: PATIENCE_MS });

  return (isThrifty, run, signal) =>
    (isThrifty ? thrifty : others).use(async () => {
      let costMs = 0;
      try {
        return await run((ms) => (costMs = ms));
      } finally {
        if (costMs > SLOW_MS) await delay(Math.min(costMs, ANONYMOUS_STATEMENT_MS));
      }
    }, signal);
}
