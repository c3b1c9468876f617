import { RestError } from "../errors.ts";
import { readJsonPath, type Field } from "./field.ts";
import { looksLikeFilter, parseFilter, parseLogic, type Condition } from "./filter.ts";
import { parseOrder, type OrderTerm } from "./order.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect, type SelectItem } from "./select.ts";

/** The names of the embeds that lead from the root to where a parameter applies; empty at the root. */
export type EmbedPath = readonly string[];

/** Everything the query string says, read but not yet compared with the schema. */
export interface QueryParameters {
  select: readonly SelectItem[];
  /** `parameter` is the place of the filter's parameter among all. */
  conditions: readonly { path: EmbedPath; condition: Condition; parameter: number }[];
  orders: readonly { path: EmbedPath; terms: readonly OrderTerm[] }[];
  limits: readonly { path: EmbedPath; limit: number }[];
  offsets: readonly { path: EmbedPath; offset: number }[];
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
  /** Arguments of a function called by GET: parameters whose value is not a filter. */
  args: readonly (readonly [name: string, value: string])[];
}

/** Reads a query string. Fails with PGRST100, or PGRST103 for a negative limit. */
export function parseQueryParameters(search: URLSearchParams, takesArguments: boolean): QueryParameters {
  const conditions: { path: EmbedPath; condition: Condition; parameter: number }[] = [];
  const orders: { path: EmbedPath; terms: readonly OrderTerm[] }[] = [];
  const limits: { path: EmbedPath; limit: number }[] = [];
  const offsets: { path: EmbedPath; offset: number }[] = [];
  const args: [string, string][] = [];
  for (const [parameter, [key, value]] of [...search].entries()) {
    if (key.includes("\0")) throw new RestError(400, "PGRST100", "A parameter's name holds a zero byte");
    if (ROOT_ONLY.has(key)) continue;
    const { path, last, word, negated } = parseKey(key);
    if (word === "order") {
      if (value !== "") orders.push({ path, terms: parseOrder(value) });
    } else if (word === "limit") limits.push({ path, limit: parseLimit(value) });
    else if (word === "offset") offsets.push({ path, offset: Math.max(0, parseInteger("offset", value)) });
    else if (word === "and" || word === "or") conditions.push({ path, condition: parseLogic(word, negated, value), parameter });
    else if (takesArguments && !looksLikeFilter(value)) args.push([key, value]);
    else conditions.push({ path, condition: parseFilter(last, value), parameter });
  }
  return {
    select: parseSelect(search.get("select") ?? "*"),
    conditions,
    orders,
    limits,
    offsets,
    columns: parseNames("columns", search.get("columns")),
    onConflict: parseNames("on_conflict", search.get("on_conflict")),
    args,
  };
}

// `apikey` is the gateway's own parameter.
const ROOT_ONLY: ReadonlySet<string> = new Set(["select", "columns", "on_conflict", "apikey"]);

/** `word` is the last name where it may be a word of the language: in quotes it is a column's. */
function parseKey(key: string): { path: EmbedPath; last: Field; word: string | null; negated: boolean } {
  const scanner = new Scanner("parameter name", key);
  const names: string[] = [];
  let quoted = false;
  do {
    quoted = scanner.sees('"');
    names.push(scanner.name());
  } while (scanner.take("."));
  const steps = readJsonPath(scanner);
  scanner.end();
  const name = names.pop() ?? key;
  const word = quoted || steps.length > 0 ? null : name;
  const negated = (word === "and" || word === "or") && names.at(-1) === "not";
  if (negated) names.pop();
  return { path: names, last: { name, path: steps }, word, negated };
}

function parseLimit(text: string): number {
  const limit = parseInteger("limit", text);
  if (limit >= 0) return limit;
  throw new RestError(416, "PGRST103", "Requested range not satisfiable", { details: "Limit should be greater than or equal to zero." });
}

function parseInteger(what: string, text: string): number {
  const scanner = new Scanner(what, text);
  const digits = scanner.match(/-?\d+/y)?.[0] ?? scanner.fail("an integer");
  scanner.end();
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
}

function parseNames(what: string, text: string | null): string[] | null {
  if (text === null || text === "") return null;
  const scanner = new Scanner(what, text);
  const names: string[] = [];
  do names.push(scanner.name());
  while (scanner.take(","));
  scanner.end();
  return [...new Set(names)];
}
