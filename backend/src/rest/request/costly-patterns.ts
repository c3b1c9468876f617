import { RestError } from "../errors.ts";
import type { Condition } from "./filter.ts";
import type { RestRequest } from "./request.ts";

const BACK_REFERENCE = /\\[1-9]/;
const BOUND = /\{([^}]*)/g;
const MAX_SIZE = 1000;

/**
 * Fails with a 400 if a pattern of `match` or `imatch` has a back-reference, for which Postgres takes exponential time, or is
 * too large: Postgres writes a bound such as `{1,99}` as so many copies of the group before it, which takes seconds.
 */
export function refuseCostlyPatterns({ parameters }: RestRequest): void {
  for (const { condition } of parameters.conditions) refuseIn(condition);
}

function refuseIn(condition: Condition): void {
  if (condition.kind !== "filter") return condition.conditions.forEach(refuseIn);
  const { test } = condition;
  if (test.kind !== "compare" || (test.operator !== "match" && test.operator !== "imatch")) return;
  if (BACK_REFERENCE.test(test.value))
    throw new RestError(400, "back_reference_not_allowed", "A regular expression may not contain a back-reference", {
      hint: "Only the secret API key may use back-references such as \\1.",
    });
  if (sizeOf(test.value) > MAX_SIZE)
    throw new RestError(400, "pattern_too_large", "A regular expression is too large", {
      hint: "Shorten the pattern or its bounds, such as {1,99}; only the secret API key may use large ones.",
    });
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
