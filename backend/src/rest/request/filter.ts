import { readField, type Field } from "./field.ts";
import { Scanner } from "./scanner.ts";

type Quantifier = "any" | "all";
type IsValue = "null" | "not_null" | "true" | "false" | "unknown";
type SearchOperator = "fts" | "plfts" | "phfts" | "wfts";
export type CompareOperator = keyof typeof COMPARE_OPERATORS;

/** The test a filter applies to a field's value. */
export type Test =
  | { kind: "compare"; operator: CompareOperator; quantifier: Quantifier | null; value: string }
  | { kind: "in"; values: readonly string[] }
  | { kind: "is"; value: IsValue }
  | { kind: "search"; operator: SearchOperator; language: string | null; value: string };

export interface Filter {
  kind: "filter";
  field: Field;
  negated: boolean;
  test: Test;
}

/** Conditions joined by `and` or `or`. */
interface Logic {
  kind: "and" | "or";
  negated: boolean;
  conditions: readonly Condition[];
}

export type Condition = Filter | Logic;

/** The parameter value for a test; empty for `is`, which has none. */
export function testValue(test: Test): string {
  switch (test.kind) {
    case "in":
      return arrayLiteral(test.values);
    case "is":
      return "";
    case "search":
      return test.value;
    case "compare":
      return test.operator === "like" || test.operator === "ilike" ? test.value.replaceAll("*", "%") : test.value;
  }
}

/** Writes a list as one value of an array type. */
export function arrayLiteral(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** The comparison operators of the wire with their SQL. */
export const COMPARE_OPERATORS = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
  isdistinct: "is distinct from",
  cs: "@>",
  cd: "<@",
  ov: "&&",
  sl: "<<",
  sr: ">>",
  nxr: "&<",
  nxl: "&>",
  adj: "-|-",
} as const;

const QUANTIFIABLE: ReadonlySet<CompareOperator> = new Set(["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"]);
const OPERATOR_NAMES = "operator (eq, gt, ...)";
const OPERATOR_START = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./;
const OTHER_OPERATORS: ReadonlySet<string> = new Set(["in", "is", "fts", "plfts", "phfts", "wfts"]);
const MAX_LOGIC_DEPTH = 32;

/** Returns true if a parameter's value is a filter and not an argument of a function. */
export function looksLikeFilter(value: string): boolean {
  const word = OPERATOR_START.exec(value)?.[1] ?? "";
  return isCompareOperator(word) || OTHER_OPERATORS.has(word);
}

/** Parses the value of a filter parameter: `not.eq.5`, `in.(1,2)`, `fts(english).cats`. */
export function parseFilter(field: Field, text: string): Filter {
  const scanner = new Scanner("filter", text);
  const negated = scanner.take("not.");
  const test = readTest(scanner, (inner) => inner.rest());
  scanner.end();
  return { kind: "filter", field, negated, test };
}

/** Parses the value of an `and=` or `or=` parameter: `(a.eq.1,not.or(b.is.null,c.gt.2))`. */
export function parseLogic(kind: "and" | "or", negated: boolean, text: string): Logic {
  const scanner = new Scanner("logic tree", text);
  const logic: Logic = { kind, negated, conditions: readConditions(scanner, 1) };
  scanner.end();
  return logic;
}

const SPACE = /\s*/y;
const LOGIC_START = /(not\.)?(and|or)(?=\()/y;

function readConditions(scanner: Scanner, depth: number): Condition[] {
  if (depth > MAX_LOGIC_DEPTH) scanner.fail(`at most ${MAX_LOGIC_DEPTH} levels`);
  scanner.expect("(");
  const conditions: Condition[] = [];
  do {
    scanner.match(SPACE);
    conditions.push(readCondition(scanner, depth));
    scanner.match(SPACE);
  } while (scanner.take(","));
  scanner.expect(")");
  return conditions;
}

function readCondition(scanner: Scanner, depth: number): Condition {
  const logic = scanner.match(LOGIC_START);
  if (logic) {
    const kind = logic[2] === "and" ? "and" : "or";
    return { kind, negated: logic[1] !== undefined, conditions: readConditions(scanner, depth + 1) };
  }
  const field = readField(scanner);
  scanner.expect(".");
  const negated = scanner.take("not.");
  return { kind: "filter", field, negated, test: readTest(scanner, readLogicValue) };
}

const ARRAY = /\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/suy;
const BARE_LOGIC_VALUE = /[^,)]*/uy;

// Inside a logic tree a value ends at the next comma or bracket, unless it is quoted or an array literal.
function readLogicValue(scanner: Scanner): string {
  return scanner.quoted() ?? scanner.match(ARRAY)?.[0] ?? scanner.match(BARE_LOGIC_VALUE)?.[0] ?? "";
}

const WORD = /[a-z]+/y;
const QUANTIFIER = /\((any|all)\)/y;
const LANGUAGE = /\(([^()]+)\)/y;
const IS_VALUE = /(null|not_null|true|false|unknown)(?=[,)]|$)/iy;
const IS_VALUES: readonly IsValue[] = ["null", "not_null", "true", "false", "unknown"];

function readTest(scanner: Scanner, readValue: (scanner: Scanner) => string): Test {
  const word = scanner.match(WORD)?.[0] ?? "";
  if (word === "in") {
    scanner.expect(".");
    return { kind: "in", values: readList(scanner) };
  }
  if (word === "is") {
    scanner.expect(".");
    const text = scanner.match(IS_VALUE)?.[0].toLowerCase();
    return { kind: "is", value: IS_VALUES.find((value) => value === text) ?? scanner.fail("null, not_null, true, false or unknown") };
  }
  if (word === "fts" || word === "plfts" || word === "phfts" || word === "wfts") {
    const language = scanner.match(LANGUAGE)?.[1] ?? null;
    scanner.expect(".");
    return { kind: "search", operator: word, language, value: readValue(scanner) };
  }
  if (!isCompareOperator(word)) scanner.fail(`"not" or ${OPERATOR_NAMES}`);
  const found = QUANTIFIABLE.has(word) ? scanner.match(QUANTIFIER)?.[1] : undefined;
  const quantifier = found === "any" || found === "all" ? found : null;
  if (!scanner.take(".")) scanner.fail('"."');
  return { kind: "compare", operator: word, quantifier, value: readValue(scanner) };
}

function isCompareOperator(word: string): word is CompareOperator {
  return Object.hasOwn(COMPARE_OPERATORS, word);
}

const BARE_ITEM = /[^,)]*/uy;

function readList(scanner: Scanner): string[] {
  scanner.expect("(");
  const values: string[] = [];
  if (scanner.take(")")) return values;
  do values.push(scanner.quoted() ?? scanner.match(BARE_ITEM)?.[0] ?? "");
  while (scanner.take(","));
  scanner.expect(")");
  return values;
}
