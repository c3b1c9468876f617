/** Counts events against a limit per second, with a burst of one second's events. */
export interface Rate {
  /** Counts one event; false if it exceeds the limit. */
  take(): boolean;
}

/** Creates a counter of at most `burst` events at once and `perSecond` in the long run. */
export function createRate(perSecond: number, burst = perSecond): Rate {
  let left = burst;
  let countedAt = performance.now();
  return {
    take() {
      const now = performance.now();
      left = Math.min(burst, left + ((now - countedAt) * perSecond) / 1000);
      countedAt = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
