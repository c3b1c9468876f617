import type { Payload } from "../request/body.ts";
import type { Field, OrderTerm } from "../request/field.ts";
import type { Filter } from "../request/filter.ts";
import type { Count } from "../request/preferences.ts";
import type { Column, Relationship, Routine, RoutineArgument, Table, TableName, ValueType } from "../schema/schema.ts";
import type { FieldItem, StarItem } from "../request/select.ts";

/** A request with every name resolved against the schema; the query stage writes it as SQL. */
export type Plan = ReadPlan | WritePlan | CallPlan | OpenApiPlan;

export interface ReadPlan {
  kind: "read";
  node: ReadNode;
  count: Count | null;
}

export interface WritePlan {
  kind: "write";
  table: Table;
  /** Resolves the columns in the conditions of the change. */
  scope: Pick<ReadNode, "alias" | "typeOf">;
  change: Change;
  /** The result read from the changed rows; null if no rows are returned. */
  returning: ReadNode | null;
  /** The key columns in the `Location` header; null without that header. */
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
  | { kind: "update"; columns: readonly Column[]; payload: Payload; defaults: boolean; where: readonly PlannedCondition[] }
  | { kind: "delete"; where: readonly PlannedCondition[] };

export interface Conflict {
  columns: readonly string[];
  resolution: "merge-duplicates" | "ignore-duplicates";
}

export type CallArguments =
  /** Named arguments inside a JSON object, or inside the first object of an array. */
  | { kind: "object"; args: readonly RoutineArgument[]; payload: Payload }
  /** Named arguments as text; a variadic argument has several values. */
  | { kind: "named"; args: readonly { argument: RoutineArgument; values: readonly string[] }[] }
  /** The whole body as the only argument, which has no name. */
  | { kind: "body"; type: string; text: string };

/** One level of a result: the rows of one source, with their embeds. */
export interface ReadNode {
  /** Null for the rows of a function that are not rows of a table. */
  table: Table | null;
  source: TableName;
  /** The alias of the rows in SQL; for the root the table's name, so that Postgres's messages name the table. */
  alias: string;
  /** The type of a column; null if the column does not exist. */
  typeOf(name: string): ValueType | null;
  /** All columns, for SQL that cannot use `*`. */
  columns: readonly string[];
  /** The column with the whole row, for functions of it; null if the alias itself has the table's type. */
  wholeRow: string | null;
  items: readonly PlannedItem[];
  where: readonly PlannedCondition[];
  order: readonly PlannedOrder[];
  limit: number | null;
  offset: number;
  embeds: readonly Embed[];
}

export type PlannedItem = StarItem | FieldItem | { kind: "embed"; embed: Embed };

/** A related level inside its parent. */
export interface Embed {
  /** The alias of the joined result in SQL. */
  alias: string;
  label: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  node: ReadNode;
  /** The fields that the parent is ordered by. */
  sorting: readonly Field[];
}

export type PlannedCondition =
  | Filter
  /** Tests if an embed has any rows: `teachers=is.null` and `teachers=not.is.null`. */
  | { kind: "presence"; embed: Embed; present: boolean }
  | { kind: "and" | "or"; negated: boolean; conditions: readonly PlannedCondition[] };

export interface PlannedOrder extends OrderTerm {
  embed: Embed | null;
}

/** Returns true if an embed shows nothing: it has neither columns nor embeds that show something. */
export function isEmpty({ items }: ReadNode): boolean {
  return items.every((item) => item.kind === "embed" && isEmpty(item.embed.node));
}

/** Returns true if a level has aggregates, including those spread into it. */
export function hasAggregates(node: ReadNode): boolean {
  return node.items.some((item) => {
    if (item.kind === "field") return item.aggregate !== null;
    return item.kind === "embed" && item.embed.spread && hasAggregates(item.embed.node);
  });
}
