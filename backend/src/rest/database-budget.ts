import { LRUCache } from "lru-cache";
import { DatabaseError } from "../db/database.ts";
import { SQLSTATE } from "../sqlstates.ts";
import { RestError } from "./errors.ts";

/** The statement timeout of an anonymous request from the network; the site's own requests have the longer one of their role. */
export const ANONYMOUS_STATEMENT_MS = 1000;

const BURST_MS = 3000;
const REFILL_MS_PER_SECOND = 100;
// One minute until the balance is positive again.
const MIN_BALANCE_MS = -6000;
const MAX_NETWORKS = 10_000;

/** Limits the database time of anonymous requests by client network (docs/decisions/005-statement-timeouts.md). */
export interface DatabaseBudget {
  /** Fails with a 429 if the network has used up its time. */
  check(network: string): void;
  /** Runs `work` and charges its time to the network. A statement that reaches its timeout uses up the whole budget. */
  spend<T>(network: string, work: () => Promise<T>): Promise<T>;
}

/** Creates a budget in memory; `now` returns milliseconds that never run backwards. */
export function createDatabaseBudget(now: () => number = () => performance.now()): DatabaseBudget {
  const balances = new LRUCache<string, { balanceMs: number; at: number }>({ max: MAX_NETWORKS });

  function balanceOf(network: string): number {
    const known = balances.get(network);
    if (!known) return BURST_MS;
    return Math.min(BURST_MS, known.balanceMs + ((now() - known.at) / 1000) * REFILL_MS_PER_SECOND);
  }

  function check(network: string): void {
    const balanceMs = balanceOf(network);
    if (balanceMs >= 0) return;
    throw new RestError(429, "over_database_time", "Your network has used too much database time. Try again later.", {
      headers: { "Retry-After": String(Math.ceil(-balanceMs / REFILL_MS_PER_SECOND)) },
    });
  }

  return {
    check,
    async spend(network, work) {
      check(network);
      const started = now();
      let overran = false;
      try {
        return await work();
      } catch (error) {
        // A client that disconnects early also cancels its statement.
        overran = isCancelled(error) && now() - started > ANONYMOUS_STATEMENT_MS / 2;
        throw error;
      } finally {
        const balanceMs = overran ? MIN_BALANCE_MS : Math.max(MIN_BALANCE_MS, balanceOf(network) - (now() - started));
        balances.set(network, { balanceMs, at: now() });
      }
    },
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === SQLSTATE.queryCanceled;
}
