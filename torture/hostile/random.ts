/** A source of pseudo-random choices: equal seeds give equal choices. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Creates the source of one request of a run (mulberry32). */
export function createRandom(seed: number, request: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(request + 1, 0x85ebca6b)) >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number): number => Math.floor(next() * limit);

  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(choices) {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error("There is nothing to pick from.");
      return choice;
    },
  };
}
