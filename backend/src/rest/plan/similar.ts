/** Twice the length of a Postgres name: a longer text is not a misspelt name, and comparing takes quadratic time. */
const MAX_LENGTH = 128;

/** The least similarity of a suggested table or function, as in PostgREST. */
export const MIN_SIMILARITY = 0.75;
/** The least similarity of suggested arguments of one function and relations of one table. */
export const MIN_SIMILARITY_IN_SCOPE = 0.33;

/** Finds the candidates whose name has at least this similarity to a mistyped name, the most similar first. */
export function mostSimilar<T>(mistyped: string, candidates: readonly T[], nameOf: (candidate: T) => string, minimum: number): T[] {
  if (mistyped.length > MAX_LENGTH) return [];
  return candidates
    .map((candidate) => ({ candidate, similarity: similarity(mistyped.toLowerCase(), nameOf(candidate).toLowerCase()) }))
    .filter((found) => found.similarity >= minimum)
    .toSorted((a, b) => b.similarity - a.similarity)
    .map(({ candidate }) => candidate);
}

/** 1 minus the Levenshtein distance as a share of the longer name. */
function similarity(a: string, b: string): number {
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
