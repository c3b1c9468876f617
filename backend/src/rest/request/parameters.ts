import { RestError } from "../errors.ts";
import { parseOrder, readJsonPath, type Field, type OrderTerm } from "./field.ts";
import { looksLikeFilter, parseFilter, parseLogic, type Condition } from "./filter.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect, type SelectItem } from "./select.ts";

/** The labels of the embeds from the root to the level a parameter applies to; empty for the root. */
export type EmbedPath = readonly string[];

/** A parsed query string, not yet compared with the schema. */
export interface QueryParameters {
  select: readonly SelectItem[];
  conditions: readonly { path: EmbedPath; condition: Condition }[];
  orders: readonly { path: EmbedPath; terms: readonly OrderTerm[] }[];
  limits: readonly { path: EmbedPath; limit: number }[];
  offsets: readonly { path: EmbedPath; offset: number }[];
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
  /** Arguments of a function called with GET: parameters whose value is not a filter. */
  args: readonly (readonly [name: string, value: string])[];
}

/** Parses a query string. Fails with PGRST100, or PGRST103 for a negative limit. */
export function parseQueryParameters(search: URLSearchParams, takesArguments: boolean): QueryParameters {
  const conditions: { path: EmbedPath; condition: Condition }[] = [];
  const orders: { path: EmbedPath; terms: readonly OrderTerm[] }[] = [];
  const limits: { path: EmbedPath; limit: number }[] = [];
  const offsets: { path: EmbedPath; offset: number }[] = [];
  const args: [string, string][] = [];
  for (const [key, value] of search) {
    if (key.includes("\0")) throw new RestError(400, "PGRST100", "A parameter's name contains a zero byte");
    if (ROOT_ONLY.has(key)) continue;
    const { path, last, word, negated } = parseKey(key);
    if (word === "order") {
      if (value !== "") orders.push({ path, terms: parseOrder(value) });
    } else if (word === "limit") limits.push({ path, limit: parseLimit(value) });
    else if (word === "offset") offsets.push({ path, offset: Math.max(0, parseInteger("offset", value)) });
    else if (word === "and" || word === "or") conditions.push({ path, condition: parseLogic(word, negated, value) });
    else if (takesArguments && !looksLikeFilter(value)) args.push([key, value]);
    else conditions.push({ path, condition: parseFilter(last, value) });
  }
  return {
    select: parseSelect(search.get("select") || "*"),
    conditions,
    orders,
    limits,
    offsets,
    columns: parseNames("columns", search.get("columns")),
    onConflict: parseNames("on_conflict", search.get("on_conflict")),
    args,
  };
}

// `apikey` is read by the gateway.
const ROOT_ONLY: ReadonlySet<string> = new Set(["select", "columns", "on_conflict", "apikey"]);

/** Parses a parameter's name; `word` is the last name if it may be a keyword, null if it is quoted or a JSON path. */
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
