import { RestError } from "./errors.ts";
import { readJsonPath, type Field } from "./field-syntax.ts";
import { looksLikeFilter, parseFilter, parseLogic, type Condition } from "./filter-syntax.ts";
import { parseOrder, type OrderTerm } from "./order-syntax.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect, type SelectItem } from "./select-syntax.ts";

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
    const { path, last, negated } = parseKey(key);
    if (last.path.length === 0) {
      if (last.name === "order") {
        if (value !== "") orders.push({ path, terms: parseOrder(value) });
        continue;
      }
      if (last.name === "limit") {
        limits.push({ path, limit: parseLimit(value) });
        continue;
      }
      if (last.name === "offset") {
        offsets.push({ path, offset: Math.max(0, parseInteger("offset", value)) });
        continue;
      }
      if (last.name === "and" || last.name === "or") {
        conditions.push({ path, condition: parseLogic(last.name, negated, value), parameter });
        continue;
      }
    }
    if (takesArguments && !looksLikeFilter(value)) args.push([key, value]);
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

function parseKey(key: string): { path: EmbedPath; last: Field; negated: boolean } {
  const scanner = new Scanner("parameter name", key);
  const names = [scanner.name()];
  while (scanner.take(".")) names.push(scanner.name());
  const steps = readJsonPath(scanner);
  scanner.end();
  const name = names.pop() ?? key;
  const negated = (name === "and" || name === "or") && names.at(-1) === "not";
  if (negated) names.pop();
  return { path: names, last: { name, path: steps }, negated };
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
