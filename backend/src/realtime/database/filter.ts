import { quoteIdentifier } from "../../db/quote.ts";

const COMPARISONS = { eq: "=", neq: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=", like: "~~", ilike: "~~*", match: "~", imatch: "~*" };
const KEYWORDS: ReadonlySet<string> = new Set(["null", "true", "false", "unknown"]);
const MAX_IN_VALUES = 100;
const SEGMENT = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s;

type Comparison = keyof typeof COMPARISONS;

/** One condition on a column of a changed row. */
export interface Filter {
  column: string;
  /** The key of a `column->>key` filter, else null. */
  key: string | null;
  operator: Comparison | "in" | "is" | "isdistinct";
  value: string;
  negate: boolean;
}

/** A filter that cannot be used; the message says why. */
export class FilterError extends Error {
  override readonly name = "FilterError";
}

/** Parses the filter of a subscription, `column=operator.value,…`. Fails with a `FilterError`. */
export function parseFilter(text: string): Filter[] {
  return text.trim() === "" ? [] : splitTopLevel(text.trim(), true).map(parseSegment);
}

function parseSegment(segment: string): Filter {
  const match = SEGMENT.exec(segment);
  const [, left = "", not, operator = "", given = ""] = match ?? [];
  if (!match) throw new FilterError(JSON.stringify([segment]));
  if (!isOperator(operator)) throw new FilterError(JSON.stringify([operator, given]));
  const [column = "", key = null, ...more] = left.split("->>").map((part) => part.trim().replaceAll('"', ""));
  if (column === "" || key === "" || more.length > 0) throw new FilterError(`invalid jsonb filter expression ${left}`);
  return { column, key, operator, value: valueOf(operator, given), negate: not !== undefined };
}

function isOperator(operator: string): operator is Filter["operator"] {
  return Object.hasOwn(COMPARISONS, operator) || operator === "in" || operator === "is" || operator === "isdistinct";
}

/** The value of a filter in Postgres's text form: that of an array for `in`. */
function valueOf(operator: Filter["operator"], given: string): string {
  if (operator === "is" && !KEYWORDS.has(given))
    throw new FilterError("invalid value for is filter: must be null, true, false, or unknown");
  if (operator !== "in") return unquote(given);
  if (!given.startsWith("(") || !given.endsWith(")")) throw new FilterError("`in` filter value must be wrapped by parentheses");
  const inner = given.slice(1, -1);
  const values = inner === "" ? [] : splitTopLevel(inner, false).map((value) => unquote(value.trim()));
  if (values.length > MAX_IN_VALUES) throw new FilterError("too many values for `in` filter. Maximum 100");
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
}

function unquote(value: string): string {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : value;
}

/** Splits at the commas outside quotes and parentheses. A quote begins a quoted text only at the start of a value. */
function splitTopLevel(text: string, hasOperators: boolean): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = at === start || (hasOperators && ".(,".includes(text[at - 1] ?? ""));
    else if (char === "(") depth += 1;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/**
 * Returns the statement that finds the rows of `$1`, a JSON array, that match all filters, and its other values. Its result is the
 * array `positions`, from 1.
 */
export function matchingRows(schema: string, table: string, filters: readonly Filter[]): { text: string; values: string[] } {
  const values: string[] = [];
  const parameter = (value: string): string => `$${values.push(value) + 1}`;
  const conditions = filters.map((filter) => {
    const column = `"row".${quoteIdentifier(filter.column)}`;
    const operand = filter.key === null ? column : `(${column} ->> ${parameter(filter.key)}::text)`;
    const condition = conditionOf(operand, filter, parameter);
    return filter.negate ? `not (${condition})` : condition;
  });
  const type = `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`;
  const text = `select coalesce(array_agg(given.position::integer), '{}') as positions
    from jsonb_array_elements($1::text::jsonb) with ordinality as given (record, position)
    cross join lateral jsonb_populate_record(null::${type}, given.record) as "row"
    where ${conditions.join(" and ")}`;
  return { text, values };
}

function conditionOf(operand: string, { operator, value }: Filter, parameter: (value: string) => string): string {
  if (operator === "is") return `${operand} is ${value}`;
  if (operator === "isdistinct") return `${operand} is distinct from ${parameter(value)}`;
  if (operator === "in") return `${operand} = any(${parameter(value)})`;
  return `${operand} ${COMPARISONS[operator]} ${parameter(value)}`;
}
