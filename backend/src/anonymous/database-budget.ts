import { LRUCache } from "lru-cache";
import { DatabaseError } from "../db/database.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { TokenBucket } from "../token-bucket.ts";

/** The statement timeout of an anonymous caller from the network; the site's own requests have the longer one of their role. */
export const ANONYMOUS_STATEMENT_MS = 500;

const BURST_MS = 3000;
const REFILL_MS_PER_SECOND = 100;
// Paid off after a minute.
const MAX_DEBT_MS = 6000;
const MAX_NETWORKS = 10_000;
/** The average cost below which the requests of a network are fast: also on a busy machine, a read by primary key takes less. */
const FAST_MS = 100;
/** The weight of the latest request in a network's average. */
const LATEST_WEIGHT = 0.25;

interface Account {
  /** A token is a millisecond. */
  readonly time: TokenBucket;
  /** The moving average of the cost of a request. */
  averageMs: number;
}

/** A piece of work in the database. */
interface BudgetedWork<T> {
  work: () => Promise<T>;
  /** Settles when the work starts; before, it may wait for statements of others. */
  begun: Promise<unknown>;
}

/** A client network has used up its database time. */
export class OverBudgetError extends Error {
  override readonly name = "OverBudgetError";
  /** The seconds until the network has time again. */
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super("Your network has used too much database time. Try again later.");
    this.retryAfterS = retryAfterS;
  }
}

/** Limits the database time of anonymous callers by client network (docs/decisions/005-statement-timeouts.md). */
export interface DatabaseBudget {
  /** Fails with an `OverBudgetError` if the network has used up its time. */
  check(network: string): void;
  /** Returns true for a network whose recent requests took little time on average; false for one without any. */
  isFast(network: string): boolean;
  /**
   * Runs `work` and charges its time in ms to the network and to `onCost`. A statement that reaches its timeout uses up the whole
   * budget.
   */
  spend<T>(network: string, budgeted: BudgetedWork<T>, onCost: (ms: number) => void): Promise<T>;
}

/** Creates a budget in memory; `now` returns milliseconds that never run backwards. */
export function createDatabaseBudget(now = () => performance.now()): DatabaseBudget {
  const accounts = new LRUCache<string, Account>({ max: MAX_NETWORKS });

  function check(network: string): void {
    const waitMs = accounts.get(network)?.time.waitMs() ?? 0;
    if (waitMs > 0) throw new OverBudgetError(Math.ceil(waitMs / 1000));
  }

  function charge(network: string, cost: number): void {
    const latestMs = Math.min(cost, ANONYMOUS_STATEMENT_MS);
    const account = accounts.get(network) ?? {
      time: new TokenBucket({ perSecond: REFILL_MS_PER_SECOND, burst: BURST_MS, maxDebt: MAX_DEBT_MS, now }),
      averageMs: latestMs,
    };
    account.time.charge(cost);
    account.averageMs += (latestMs - account.averageMs) * LATEST_WEIGHT;
    accounts.set(network, account);
  }

  return {
    check,
    isFast: (network) => (accounts.get(network)?.averageMs ?? Infinity) < FAST_MS,
    async spend(network, { work, begun }, onCost) {
      check(network);
      let started = now();
      const restart = (): void => void (started = now());
      begun.then(restart, restart);
      let failure: unknown;
      try {
        return await work();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        const cost = costOf(failure, now() - started);
        onCost(cost);
        charge(network, cost);
      }
    },
  };
}

function costOf(failure: unknown, elapsedMs: number): number {
  // More than the time of a statement was spent waiting, for example while the embedded database started again.
  const worked = Math.min(elapsedMs, ANONYMOUS_STATEMENT_MS);
  if (!(failure instanceof DatabaseError)) return worked;
  // During an outage the client waited, and the database did not work.
  if (failure.isOutage) return 0;
  // A client that disconnects early also cancels its statement.
  const isOverrun = failure.code === SQLSTATE.queryCanceled && elapsedMs > ANONYMOUS_STATEMENT_MS / 2;
  return isOverrun ? Infinity : worked;
}
