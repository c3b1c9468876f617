import { patternProblem } from "../../costly-pattern.ts";
import { DatabaseError, type SqlValue, type Transaction } from "../../db/database.ts";
import { RealtimeError } from "../errors.ts";
import type { Ask, Caller } from "./ask.ts";
import { type Filter, FilterError, matchingRows, parseFilter } from "./filter.ts";
import type { Relation } from "./relations.ts";

/** One request for database changes, as a client writes it. */
export interface ChangeRequest {
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** `public` if there is a table only. */
  schema?: string | undefined;
  /** All if there is a schema only. */
  table?: string | undefined;
  filter?: string | undefined;
  /** The columns, with commas between them. */
  select?: string | undefined;
}

/** A request for changes that has been parsed. */
export interface Wanted {
  event: ChangeRequest["event"];
  /** `*` for all. */
  schema: string;
  table: string;
  filters: readonly Filter[];
  /** The columns to send with the key; null for all. */
  select: readonly string[] | null;
}

/** A statement that checks the filters of a request against a table. */
interface Check {
  text: string;
  values: readonly SqlValue[];
  fail: (reason: string) => RealtimeError;
}

/** Parses the requests of a join. Fails with a `RealtimeError`. */
export function parseRequests(requests: readonly ChangeRequest[]): Wanted[] {
  return requests.map(({ event, schema = "", table: given, filter = "", select = "" }) => {
    if (schema === "" && given === undefined)
      throw refusal("No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{}");
    const table = given ?? "*";
    const columns = select === "" ? null : select.split(",").map((column) => column.trim());
    const wanted = { event, schema: schema === "" ? "public" : schema, table, select: columns };
    if (columns && (wanted.schema === "*" || table === "*"))
      throw refusal("Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.");
    try {
      return { ...wanted, filters: parseFilter(filter) };
    } catch (error) {
      if (error instanceof FilterError) throw refusal(`Error parsing \`filter\` params: ${error.message}`);
      throw error;
    }
  });
}

/** Checks requests against `relations`, the published tables as the caller's role sees them. Fails with a `RealtimeError`. */
export async function checkRequests(
  ask: Ask,
  caller: Caller,
  requests: readonly Wanted[],
  relations: ReadonlyMap<number, Relation>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const checks = new Map<string, Check>();
  for (const wanted of requests) {
    const tables = [...relations.values()].filter((relation) => covers(wanted, relation));
    if (tables.length === 0) {
      throw refusal(
        `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describe(wanted)}]`,
      );
    }
    if (!tables.some(({ columns }) => columns.some(({ isSelectable }) => isSelectable)))
      throw failed(wanted, `permission denied for table ${wanted.table}`);
    for (const relation of tables) {
      const check = checkColumns(wanted, relation, caller);
      if (check) checks.set(JSON.stringify([check.text, check.values]), check);
    }
  }
  if (checks.size === 0) return;
  let current: Check | undefined;
  async function run(tx: Transaction): Promise<void> {
    for (current of checks.values()) await tx.query(current.text, current.values);
  }
  try {
    await ask(caller, run, signal ? { signal } : {});
  } catch (error) {
    if (current && error instanceof DatabaseError && !error.isOutage) throw current.fail(error.message);
    throw error;
  }
}

/** True if a request is about a table, and the role may still read the columns of its filters: they say something about their values. */
export function appliesTo(wanted: Wanted, relation: Relation): boolean {
  const isReadable = (wantedName: string): boolean =>
    relation.columns.some(({ name, isSelectable }) => name === wantedName && isSelectable);
  return covers(wanted, relation) && wanted.filters.every(({ column }) => isReadable(column));
}

function covers({ schema, table }: Wanted, relation: Relation): boolean {
  return (schema === "*" || schema === relation.schema) && (table === "*" || table === relation.table);
}

/** Checks the columns of a request; returns the check of its filters, if it has any. */
function checkColumns(wanted: Wanted, relation: Relation, { role }: Caller): Check | undefined {
  const columns = new Map(relation.columns.filter(({ isSelectable }) => isSelectable).map((column) => [column.name, column.type]));
  const fail = (reason: string): RealtimeError => failed(wanted, reason);
  for (const { column, key, operator, value } of wanted.filters) {
    const type = columns.get(column);
    if (type === undefined) throw fail(`invalid column for filter ${column}`);
    if (key !== null && type !== "jsonb") throw fail(`jsonb filter requires a jsonb column, got ${type}`);
    if (operator === "is" && value !== "null" && type !== "bool") throw fail(`is ${value} filter requires a boolean column, got ${type}`);
    if (TEXT_OPERATORS.has(operator) && key === null && !TEXT_TYPES.has(type))
      throw fail(`operator ${operator} requires a text-compatible column type, got ${type}`);
    if (role !== "service_role" && (operator === "match" || operator === "imatch") && patternProblem(value) !== null)
      throw fail("a regular expression is too large or has a back-reference");
  }
  for (const column of wanted.select ?? []) if (!columns.has(column)) throw fail(`invalid column for select ${column}`);
  if (wanted.filters.length === 0) return undefined;
  // One row of nulls makes Postgres read the values and compile the patterns.
  const { text, values } = matchingRows(relation.schema, relation.table, wanted.filters);
  return { text, values: ["[{}]", ...values], fail };
}

const TEXT_OPERATORS: ReadonlySet<string> = new Set(["like", "ilike", "match", "imatch"]);
const TEXT_TYPES: ReadonlySet<string> = new Set(["text", "varchar", "bpchar", "name", "citext"]);

function describe({ event, schema, table, filters, select }: Wanted): string {
  const shown = filters.map(({ column, key, operator, value, negate }) =>
    JSON.stringify([key === null ? column : `${column}->>${key}`, operator, value, negate]),
  );
  const selected = select === null ? "" : `, select: [${select.join(", ")}]`;
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${shown.join(", ")}]${selected}`;
}

function failed(wanted: Wanted, reason: string): RealtimeError {
  return refusal(
    `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describe(wanted)}]. Exception: ${reason}`,
  );
}

function refusal(message: string): RealtimeError {
  return new RealtimeError("RealtimeDisabledForConfiguration", message);
}
