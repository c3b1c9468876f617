/** Longer than two of Postgres's names: nobody meant a table by it, and comparing takes its square. */
const LONGEST = 128;

/** How much alike two names of tables or functions must be for one to be suggested, as in PostgREST. */
export const ALIKE = 0.75;
/** The same for what is less likely to be confused: arguments of one function, relations of one table. */
export const SOMEWHAT_ALIKE = 0.33;

/** Finds those of some names that differ from a mistyped one by less than a share of their letters, the nearest first. */
export function mostSimilar<T>(mistyped: string, candidates: readonly T[], nameOf: (candidate: T) => string, leastAlike: number): T[] {
  if (mistyped.length > LONGEST) return [];
  return candidates
    .map((candidate) => ({ candidate, alike: likeness(mistyped.toLowerCase(), nameOf(candidate).toLowerCase()) }))
    .filter(({ alike }) => alike >= leastAlike)
    .toSorted((a, b) => b.alike - a.alike)
    .map(({ candidate }) => candidate);
}

/** From 0 to 1: the share of letters that need not be changed (Levenshtein's distance, as a part of the longer name). */
function likeness(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(a).entries()) {
    const current = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (above[column] ?? 0) + (b[column] === letter ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return 1 - (above[b.length] ?? 0) / Math.max(a.length, b.length, 1);
}
