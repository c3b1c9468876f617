import { LRUCache } from "lru-cache";
import { TokenBucket } from "../token-bucket.ts";

/** Work of all anonymous clients together, as a multiple of the limit of one network. */
const NETWORKS = 3;
/** The longest pause; a client must be able to send its heartbeat. */
const LONGEST_PAUSE_MS = 10_000;
const MAX_NETWORKS = 10_000;

/** The units of work of a new connection or a join, whose token is verified. */
export const JOIN_UNITS = 20;
/** Bytes of a frame that count as one unit of work. */
const UNIT_BYTES = 4096;

/** Limits the work of anonymous clients. One unit is a frame that is read, or written to one subscriber. */
export interface Throttle {
  /** Counts work that a client network caused; returns the time in ms for which its clients should wait. */
  take(network: string, units: number): number;
  /** True if the network has caused too much work itself, whatever others did. */
  isInDebt(network: string): boolean;
}

/** The units of work of a frame that a client sent. */
export function unitsOf(bytes: number): number {
  return 1 + bytes / UNIT_BYTES;
}

/** Creates a throttle with `perSecond` units for one network; a burst may have two seconds' units. `now` returns milliseconds. */
export function createThrottle(perSecond: number, now = () => performance.now()): Throttle {
  const bucketOf = (rate: number): TokenBucket =>
    new TokenBucket({ perSecond: rate, burst: 2 * rate, maxDebt: (rate * LONGEST_PAUSE_MS) / 1000, now });
  const networks = new LRUCache<string, TokenBucket>({ max: MAX_NETWORKS, memoMethod: () => bucketOf(perSecond) });
  const all = bucketOf(perSecond * NETWORKS);

  function charge(network: string, units: number): number {
    const own = networks.memo(network);
    // Only what the network has paid: the debt of one must not stop the others.
    all.charge(own.charge(units));
    return own.waitMs();
  }

  return {
    take: (network, units) => Math.max(charge(network, units), all.waitMs()),
    isInDebt: (network) => charge(network, 0) > 0,
  };
}
