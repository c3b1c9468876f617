import { LRUCache } from "lru-cache";

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

interface Balance {
  units: number;
  readonly perSecond: number;
  at: number;
}

/** Creates a throttle with `perSecond` units for one network; a burst may have two seconds' units. `now` returns milliseconds. */
export function createThrottle(perSecond: number, now = () => performance.now()): Throttle {
  const networks = new LRUCache<string, Balance>({ max: MAX_NETWORKS });
  const all = newBalance(perSecond * NETWORKS);

  function newBalance(rate: number): Balance {
    return { units: 2 * rate, perSecond: rate, at: now() };
  }

  /** Takes units from a balance; returns how many units, of these and of an earlier debt, it has paid. */
  function takeFrom(balance: Balance, units: number): number {
    const time = now();
    const debt = debtOf(balance);
    const { perSecond: rate } = balance;
    balance.units = Math.min(2 * rate, balance.units + ((time - balance.at) / 1000) * rate) - units;
    balance.at = time;
    const paid = units + debt - debtOf(balance);
    // A debt is bounded, so that a pause is.
    balance.units = Math.max((-rate * LONGEST_PAUSE_MS) / 1000, balance.units);
    return paid;
  }

  function charge(network: string, units: number): Balance {
    const own = networks.get(network) ?? newBalance(perSecond);
    networks.set(network, own);
    // Only what the network has paid: the debt of one must not stop the others.
    takeFrom(all, takeFrom(own, units));
    return own;
  }

  return {
    take: (network, units) => Math.max(pauseOf(charge(network, units)), pauseOf(all)),
    isInDebt: (network) => debtOf(charge(network, 0)) > 0,
  };
}

function debtOf({ units }: Balance): number {
  return Math.max(0, -units);
}

/** Returns the ms until the balance is positive. */
function pauseOf(balance: Balance): number {
  return (debtOf(balance) / balance.perSecond) * 1000;
}
