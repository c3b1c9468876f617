import { asIdentity, type RequestInfo } from "../../db/as-identity.ts";
import { type Database, DatabaseError } from "../../db/database.ts";
import type { Identity } from "../../identity.ts";
import { RealtimeError } from "../errors.ts";
import { type Filter, FilterError, matchingRows, parseFilter } from "./filter.ts";
import type { Relation } from "./relations.ts";

/** The caller of a channel. */
export type Caller = Pick<Identity, "role" | "claims">;

/** One request for database changes, as a client writes it. */
export interface ChangeRequest {
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  table?: string;
  filter?: string;
  select?: string;
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

/** The request that SQL reads with `current_setting('request.…')`; a WebSocket has no other. */
export const NO_REQUEST: RequestInfo = { method: "GET", path: "/realtime/v1/websocket", headers: {} };

/** Longest time of a check for one caller; a policy or pattern that takes longer hides the change. */
export const CHECK_TIMEOUT_MS = 3000;

/** Parses the requests of a join. Fails with a `RealtimeError`. */
export function parseRequests(requests: readonly ChangeRequest[]): Wanted[] {
  return requests.map(({ event, schema, table = "*", filter = "", select = "" }) => {
    if (schema === "" && table === "*")
      throw refusal("No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{}");
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
  database: Database,
  caller: Caller,
  requests: readonly Wanted[],
  relations: ReadonlyMap<number, Relation>,
): Promise<void> {
  for (const wanted of requests) {
    const tables = [...relations.values()].filter((relation) => covers(wanted, relation));
    if (tables.length === 0) {
      throw refusal(
        `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describe(wanted)}]`,
      );
    }
    for (const relation of tables) await checkColumns(database, caller, wanted, relation);
  }
}

/** True if a request is about a table. */
export function covers({ schema, table }: Wanted, relation: Relation): boolean {
  return (schema === "*" || schema === relation.schema) && (table === "*" || table === relation.table);
}

async function checkColumns(database: Database, caller: Caller, wanted: Wanted, relation: Relation): Promise<void> {
  const columns = new Map(relation.columns.filter(({ isSelectable }) => isSelectable).map((column) => [column.name, column.type]));
  const fail = (reason: string): RealtimeError =>
    refusal(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describe(wanted)}]. Exception: ${reason}`,
    );
  for (const { column, key, operator, value } of wanted.filters) {
    const type = columns.get(column);
    if (type === undefined) throw fail(`invalid column for filter ${column}`);
    if (key !== null && type !== "jsonb") throw fail(`jsonb filter requires a jsonb column, got ${type}`);
    if (operator === "is" && value !== "null" && type !== "bool") throw fail(`is ${value} filter requires a boolean column, got ${type}`);
    if (TEXT_OPERATORS.has(operator) && key === null && !TEXT_TYPES.has(type))
      throw fail(`operator ${operator} requires a text-compatible column type, got ${type}`);
  }
  for (const column of wanted.select ?? []) if (!columns.has(column)) throw fail(`invalid column for select ${column}`);
  if (wanted.filters.length === 0) return;
  const { text, values } = matchingRows(relation.schema, relation.table, wanted.filters);
  try {
    // One row of nulls makes Postgres read the values and compile the patterns.
    await asIdentity(database, { ...caller, authenticated: true }, NO_REQUEST, (tx) => tx.last(text, ["[{}]", ...values]), {
      readOnly: true,
      maxStatementMs: CHECK_TIMEOUT_MS,
    });
  } catch (error) {
    if (error instanceof DatabaseError && !error.isOutage) throw fail(error.message);
    throw error;
  }
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

function refusal(message: string): RealtimeError {
  return new RealtimeError("RealtimeDisabledForConfiguration", message);
}
