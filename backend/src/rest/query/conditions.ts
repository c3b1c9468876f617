import { COMPARE_OPERATORS, testValue, type CompareOperator, type Filter, type Test } from "../request/filter.ts";
import type { PlannedCondition } from "../plan/plan.ts";
import { columnOf, fieldSql, type FieldScope, type FieldSql, type Values } from "./sql.ts";

/** Writes conditions joined by `and`; an empty text if there are none. */
export function whereSql(conditions: readonly PlannedCondition[], scope: FieldScope, values: Values): string {
  return conditions.map((condition) => conditionSql(condition, scope, values)).join(" and ");
}

function conditionSql(condition: PlannedCondition, scope: FieldScope, values: Values): string {
  switch (condition.kind) {
    case "filter":
      return filterSql(condition, scope, values);
    case "presence":
      return `${columnOf(condition.embed.alias, "here")} is ${condition.present ? "true" : "not true"}`;
    case "and":
    case "or": {
      const inner = condition.conditions.map((part) => conditionSql(part, scope, values)).join(` ${condition.kind} `);
      return `${condition.negated ? "not " : ""}(${inner})`;
    }
  }
}

function filterSql(filter: Filter, scope: FieldScope, values: Values): string {
  const test = testSql(fieldSql(filter.field, scope, values), filter.test, values);
  return filter.negated ? `not (${test})` : `(${test})`;
}

const SEARCH_FUNCTIONS = { fts: "to_tsquery", plfts: "plainto_tsquery", phfts: "phraseto_tsquery", wfts: "websearch_to_tsquery" } as const;

function testSql({ sql, type }: FieldSql, test: Test, values: Values): string {
  switch (test.kind) {
    case "is":
      return `${sql} is ${test.value.replace("_", " ")}`;
    case "in":
      return `${sql} = any(${values.as(testValue(test), `${type}[]`)})`;
    case "search": {
      const language = test.language === null ? "" : `${values.as(test.language, "regconfig")}, `;
      const vector = type === "tsvector" ? sql : `to_tsvector(${language}${sql})`;
      return `${vector} @@ ${SEARCH_FUNCTIONS[test.operator]}(${language}${values.as(testValue(test), "text")})`;
    }
    case "compare":
      return comparisonSql({ sql, type }, test, values);
  }
}

const PATTERN_OPERATORS: ReadonlySet<CompareOperator> = new Set(["like", "ilike", "match", "imatch"]);

function comparisonSql({ sql, type }: FieldSql, test: Extract<Test, { kind: "compare" }>, values: Values): string {
  const operator = COMPARE_OPERATORS[test.operator];
  // Patterns are text, whatever the type of the field.
  const valueType = PATTERN_OPERATORS.has(test.operator) ? "text" : type;
  if (test.quantifier) return `${sql} ${operator} ${test.quantifier}(${values.as(testValue(test), `${valueType}[]`)})`;
  return `${sql} ${operator} ${values.as(testValue(test), valueType)}`;
}
