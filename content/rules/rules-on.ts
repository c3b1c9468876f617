import { rules } from "./rules.ts";
import type { Rule } from "./types.ts";

/** The rule of a kind for a course that starts on a day, an ISO date; undefined if there is none. */
export function ruleOn<Kind extends Rule["kind"]>(
  kind: Kind,
  courseId: string,
  day: string,
  all = rules,
): Extract<Rule, { kind: Kind }> | undefined {
  return all
    .filter((rule): rule is Extract<Rule, { kind: Kind }> => rule.kind === kind)
    .find(({ courses, validFrom, validTo }) => courses.includes(courseId) && validFrom <= day && (validTo === null || day <= validTo));
}
