const BACK_REFERENCE = /\\[1-9]/;
const BOUND = /\{([^}]*)/g;
const MAX_SIZE = 1000;

/**
 * Returns the reason why a regular expression is too costly for Postgres, or null: a back-reference takes exponential time, and Postgres writes a
 * bound such as `{1,99}` as so many copies of the group before it, which takes seconds.
 */
export function patternProblem(pattern: string): "back_reference" | "too_large" | null {
  if (BACK_REFERENCE.test(pattern)) return "back_reference";
  return sizeOf(pattern) > MAX_SIZE ? "too_large" : null;
}

/** An upper bound of the pattern's length without bounds: bounds multiply each other if groups contain each other. */
function sizeOf(pattern: string): number {
  const bounds = [...pattern.matchAll(BOUND)].map(([, text = ""]) => Math.max(1, ...(text.match(/\d+/g) ?? []).map(Number)));
  const nested = pattern.split("(").length;
  return bounds
    .toSorted((one, other) => other - one)
    .slice(0, nested)
    .reduce((size, bound) => size * bound, pattern.length);
}
