import { RestError } from "../errors.ts";
import type { Condition } from "./filter.ts";
import type { RestRequest } from "./request.ts";

const BACK_REFERENCE = /\\[1-9]/;

/** Fails with a 400 if a pattern of `match` or `imatch` has a back-reference, which takes Postgres exponential time. */
export function refuseBackReferences({ parameters }: RestRequest): void {
  if (!parameters.conditions.some(({ condition }) => hasBackReference(condition))) return;
  throw new RestError(400, "back_reference_not_allowed", "A regular expression may not contain a back-reference", {
    hint: "Only the secret API key may use back-references such as \\1.",
  });
}

function hasBackReference(condition: Condition): boolean {
  if (condition.kind !== "filter") return condition.conditions.some(hasBackReference);
  const { test } = condition;
  return test.kind === "compare" && (test.operator === "match" || test.operator === "imatch") && BACK_REFERENCE.test(test.value);
}
