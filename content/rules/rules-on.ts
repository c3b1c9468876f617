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

/** The rules whose source was last checked more than 12 months before a day, an ISO date. */
export function staleRules(day: string, all = rules): Rule[] {
  const limit = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return all.filter(({ source }) => source.checked < limit);
}
