/** A moment by two clocks, in milliseconds. */
export interface Moment {
  /** By the clock of the system, which may be set. */
  date: number;
  /** By the one of `performance.now()`, which never runs backwards. */
  ms: number;
}

/** Returns the present moment. */
export function now(): Moment {
  return { date: Date.now(), ms: performance.now() };
}
