import { setTimeout as delay } from "node:timers/promises";
import { createPool, type Pool } from "../db/pool.ts";
import { ANONYMOUS_STATEMENT_MS } from "./database-budget.ts";

const SLOW_MS = 100;
/** The longest time that the work of a network whose requests are slow waits; then it fails with SQLSTATE 53300. */
const PATIENCE_MS = 1000;

/** Work whose cost in ms `onCost` reports. */
type Costly<T> = (onCost: (ms: number) => void) => Promise<T>;

/** Runs an anonymous request when it is its turn; one of a network with fast requests waits for other such networks only. */
type TakeTurn = <T>(isFast: boolean, run: Costly<T>, signal: AbortSignal) => Promise<T>;

/** The number of anonymous requests of each queue that run at the same time. */
interface Concurrent {
  fast: number;
  others: number;
}

/**
 * Lets a few anonymous requests run at the same time in each of two queues, and pauses after a slow one for as long as it took: with one at
 * a time, a page with several reads waits on the embedded database for one of each queue at most (docs/decisions/005-statement-timeouts.md).
 */
export function createAnonymousTurns(concurrent: Concurrent): TakeTurn {
  const fast = createPool(slots(concurrent.fast));
  const others = createPool(slots(concurrent.others), { patienceMs: PATIENCE_MS });
  return (isFast, run, signal) => runIn(isFast ? fast : others, run, signal);
}

/** Runs work of a client network when it is its turn. */
type TakeNetworkTurn = <T>(network: string, run: Costly<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Lets client networks take turns: at most `concurrent` pieces of work run at the same time, and a network waits with one piece at most,
 * however many it has. After slow work there is a pause for as long as it took.
 */
export function createNetworkTurns(concurrent: number): TakeNetworkTurn {
  const all = createPool(slots(concurrent), { patienceMs: PATIENCE_MS });
  const queues = new Map<string, { queue: Pool<null>; users: number }>();

  return async (network, run, signal) => {
    const own = queues.get(network) ?? { queue: createPool([null], { patienceMs: PATIENCE_MS }), users: 0 };
    queues.set(network, own);
    own.users += 1;
    try {
      return await own.queue.use(() => runIn(all, run, signal), signal);
    } finally {
      own.users -= 1;
      if (own.users === 0) queues.delete(network);
    }
  };
}

function slots(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

function runIn<T>(pool: Pool<null>, run: Costly<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const turn = pool.use(async () => {
      let costMs = 0;
      const result = run((ms) => (costMs = ms));
      // The caller does not wait for the pause, which delays the next turn only.
      resolve(result);
      await Promise.allSettled([result]);
      if (costMs > SLOW_MS) await delay(Math.min(costMs, ANONYMOUS_STATEMENT_MS));
    }, signal);
    turn.catch(reject);
  });
}
