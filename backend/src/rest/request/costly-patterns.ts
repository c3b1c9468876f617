import { patternProblem } from "../../costly-pattern.ts";
import { RestError } from "../errors.ts";
import type { Condition } from "./filter.ts";
import type { RestRequest } from "./request.ts";

/** Fails with a 400 if a pattern of `match` or `imatch` is too costly. */
export function refuseCostlyPatterns({ parameters }: RestRequest): void {
  for (const { condition } of parameters.conditions) refuseIn(condition);
}

function refuseIn(condition: Condition): void {
  if (condition.kind !== "filter") return condition.conditions.forEach(refuseIn);
  const { test } = condition;
  if (test.kind !== "compare" || (test.operator !== "match" && test.operator !== "imatch")) return;
  const problem = patternProblem(test.value);
  if (problem === "back_reference")
    throw new RestError(400, "back_reference_not_allowed", "A regular expression may not contain a back-reference", {
      hint: "Only the secret API key may use back-references such as \\1.",
    });
  if (problem === "too_large")
    throw new RestError(400, "pattern_too_large", "A regular expression is too large", {
      hint: "Shorten the pattern or its bounds, such as {1,99}; only the secret API key may use large ones.",
    });
}
