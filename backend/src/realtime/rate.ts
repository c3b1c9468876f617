import { performance } from "node:perf_hooks";

/** Counts events against a limit per second, with a burst of one second's events. */
export interface Rate {
  /** Counts one event, or several at once; false if they exceed the limit. */
  take(count?: number): boolean;
}

/** Creates a counter of at most `burst` events at once and `perSecond` in the long run. */
export function createRate(perSecond: number, burst = perSecond): Rate {
  let left = burst;
  let countedAt = performance.now();
  return {
    take(count = 1) {
      const now = performance.now();
      left = Math.min(burst, left + ((now - countedAt) * perSecond) / 1000);
      countedAt = now;
      if (left < count) return false;
      left -= count;
      return true;
    },
  };
}
