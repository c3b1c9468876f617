import { COMPARE_OPERATORS, testValue, type CompareOperator, type Filter, type Test } from "../request/filter.ts";
import type { PlannedCondition } from "../plan/plan.ts";
import { plainType, type ValueType } from "../schema/schema.ts";
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

function testSql(field: FieldSql, test: Test, values: Values): string {
  const { sql } = field;
  switch (test.kind) {
    case "is":
      return `${sql} is ${test.value.replace("_", " ")}`;
    case "in":
      return `${sql} = any(${listSql(testValue(test), field, values)})`;
    case "search": {
      const language = test.language === null ? "" : `${values.as(test.language, "regconfig")}, `;
      const vector = field.baseType === "tsvector" ? sql : `to_tsvector(${language}${sql})`;
      return `${vector} @@ ${SEARCH_FUNCTIONS[test.operator]}(${language}${values.as(testValue(test), "text")})`;
    }
    case "compare":
      return comparisonSql(field, test, values);
  }
}

/** Writes a text of a request as a value of this type. */
function valueSql(text: string, { type, fromText }: ValueType, values: Values): string {
  return fromText === null ? values.as(text, type) : `${fromText}(${values.text(text)})`;
}

/** Writes an array literal of a request as values of this type, for `any` and `all`. */
function listSql(literal: string, { type, fromText }: ValueType, values: Values): string {
  if (fromText === null) return values.as(literal, `${type}[]`);
  return `select ${fromText}(item) from unnest(${values.as(literal, "text[]")}) as item`;
}

const PATTERN_OPERATORS: ReadonlySet<CompareOperator> = new Set(["like", "ilike", "match", "imatch"]);

function comparisonSql(field: FieldSql, test: Extract<Test, { kind: "compare" }>, values: Values): string {
  const operator = COMPARE_OPERATORS[test.operator];
  // Patterns are text, whatever the type of the field.
  const type = PATTERN_OPERATORS.has(test.operator) ? plainType("text") : field;
  if (test.quantifier) return `${field.sql} ${operator} ${test.quantifier}(${listSql(testValue(test), type, values)})`;
  return `${field.sql} ${operator} ${valueSql(testValue(test), type, values)}`;
}
