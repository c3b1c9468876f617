import type { Payload } from "../request/body.ts";
import type { Field } from "../request/field.ts";
import type { Filter } from "../request/filter.ts";
import type { OrderTerm } from "../request/order.ts";
import type { Count } from "../request/preferences.ts";
import type { Column, Relationship, Routine, RoutineArgument, Table, TableName } from "../schema/schema.ts";
import type { FieldItem, StarItem } from "../request/select.ts";

/** What a request will do, every name resolved against the schema; the query stage only writes it down as SQL. */
export type Plan = ReadPlan | WritePlan | CallPlan | OpenApiPlan;

export interface ReadPlan {
  kind: "read";
  node: ReadNode;
  count: Count | null;
}

export interface WritePlan {
  kind: "write";
  table: Table;
  /** Where the conditions of the change find their columns. */
  scope: Pick<ReadNode, "alias" | "typeOf">;
  change: Change;
  /** The rows changed as they are returned; null where none are. */
  returning: ReadNode | null;
  /** The key columns a `Location` header is made of. */
  location: readonly string[] | null;
}

export interface CallPlan {
  kind: "call";
  routine: Routine;
  args: CallArguments;
  node: ReadNode;
  count: Count | null;
}

export interface OpenApiPlan {
  kind: "openapi";
}

export type Change =
  | { kind: "insert"; columns: readonly Column[]; payload: Payload; defaults: boolean; conflict: Conflict | null }
  | { kind: "update"; columns: readonly Column[]; payload: Payload; where: readonly PlannedCondition[] }
  | { kind: "delete"; where: readonly PlannedCondition[] };

export interface Conflict {
  columns: readonly string[];
  resolution: "merge-duplicates" | "ignore-duplicates";
}

export type CallArguments =
  /** Named arguments inside a JSON object. */
  | { kind: "object"; args: readonly RoutineArgument[]; text: string }
  /** Named arguments as text, a variadic one as several. */
  | { kind: "named"; args: readonly { argument: RoutineArgument; values: readonly string[] }[] }
  /** The whole body as the only, unnamed argument. */
  | { kind: "body"; type: string; text: string };

/** One level of a result: rows of one source with their embeds. */
export interface ReadNode {
  /** Null for a function's own kind of row. */
  table: Table | null;
  source: TableName;
  /** The name rows go by in SQL; the root's is its table's, so that Postgres's messages name it. */
  alias: string;
  /** The SQL type of a column, null where there is no such column. */
  typeOf(name: string): string | null;
  /** All columns, for where `*` has to be spelt out. */
  columns: readonly string[];
  /** The column that holds the whole row, for functions of it, where the rows are not of the table's own type. */
  wholeRow: string | null;
  items: readonly PlannedItem[];
  where: readonly PlannedCondition[];
  order: readonly PlannedOrder[];
  limit: number | null;
  offset: number;
  embeds: readonly Embed[];
}

export type PlannedItem = StarItem | FieldItem | { kind: "embed"; embed: Embed };

/** A related level under its parent. */
export interface Embed {
  /** The name of its joined result in SQL. */
  alias: string;
  label: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  node: ReadNode;
  /** The fields its parent is ordered by. */
  sorting: readonly Field[];
}

export type PlannedCondition =
  | Filter
  /** Whether an embed has any row: `teachers=is.null` and `teachers=not.is.null`. */
  | { kind: "presence"; embed: Embed; present: boolean }
  | { kind: "and" | "or"; negated: boolean; conditions: readonly PlannedCondition[] };

export interface PlannedOrder extends OrderTerm {
  embed: Embed | null;
}

/** Tells whether a level's own columns, those spread into it included, are aggregated. */
export function hasAggregates(node: ReadNode): boolean {
  return node.items.some((item) => {
    if (item.kind === "field") return item.aggregate !== null;
    return item.kind === "embed" && item.embed.spread && hasAggregates(item.embed.node);
  });
}
