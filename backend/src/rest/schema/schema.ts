/** A table or view by its name; two are the same when `nameKey` says so. */
export interface TableName {
  schema: string;
  name: string;
}

export interface Column {
  name: string;
  /** The type as SQL, qualified where it is not built in, without length or precision. */
  type: string;
  nullable: boolean;
  /** The default as SQL; for an identity column the call that takes its next value. */
  default: string | null;
  /** False where Postgres computes the value and refuses any other. */
  writable: boolean;
  description: string | null;
  /** The labels of an enum type. */
  labels: readonly string[] | null;
}

/** A table or view of an exposed schema. */
export interface Table extends TableName {
  oid: number;
  kind: "table" | "view";
  description: string | null;
  columns: ReadonlyMap<string, Column>;
  /** The primary key's columns; a view has that of the table it shows whole. */
  primaryKey: readonly string[];
  /** The tables a read of it depends on, as `schema.table`: itself, or the tables behind a view. `*` stands for unknown tables. */
  reads: readonly string[];
}

export interface RoutineArgument {
  /** Empty for an argument that can only be given by position. */
  name: string;
  type: string;
  required: boolean;
  variadic: boolean;
}

export type RoutineResult =
  | { kind: "void" }
  | { kind: "scalar"; type: string }
  /** A row of a table or view of an exposed schema. */
  | { kind: "table"; table: Table }
  /** A row of its own, with types as SQL by name; empty where only the call decides. */
  | { kind: "record"; columns: ReadonlyMap<string, string> };

/** A function of an exposed schema. */
export interface Routine {
  oid: number;
  schema: string;
  name: string;
  description: string | null;
  volatility: "volatile" | "stable" | "immutable";
  args: readonly RoutineArgument[];
  result: RoutineResult;
  returnsSet: boolean;
  /** The tables it reads, as `schema.table`; `*` where Postgres does not know them, as for PL/pgSQL. */
  reads: readonly string[];
}

export type ColumnPairs = readonly (readonly [own: string, other: string])[];

/** A way from a table to another: over a foreign key, through a junction table, or by a function of its row. */
export type Relationship = KeyRelationship | JunctionRelationship | ComputedRelationship;

export interface KeyRelationship {
  kind: "key";
  from: TableName;
  to: TableName;
  toOne: boolean;
  /** True where `from` holds the foreign key. */
  forward: boolean;
  constraint: string;
  columns: ColumnPairs;
}

export interface JunctionRelationship {
  kind: "junction";
  from: TableName;
  to: TableName;
  toOne: false;
  junction: TableName;
  /** The constraints towards `from` and towards `to`. */
  constraints: readonly [string, string];
  /** From `from` into the junction, and from the junction into `to`. */
  entry: ColumnPairs;
  exit: ColumnPairs;
}

export interface ComputedRelationship {
  kind: "computed";
  from: TableName;
  to: TableName;
  toOne: boolean;
  routine: TableName;
  /** The tables the function reads. */
  reads: readonly string[];
}

/** What the catalogue says of the exposed schemas; a value, never changed once made. */
export interface SchemaCache {
  table(schema: string, name: string): Table | undefined;
  tables(schema: string): readonly Table[];
  /** All functions of this name, one for each list of arguments. */
  routines(schema: string, name: string): readonly Routine[];
  routineNames(schema: string): readonly string[];
  relationships(from: TableName): readonly Relationship[];
  /** A function of a row that can be used like a column: its SQL type and the tables it reads. */
  computedColumn(table: TableName, name: string): { type: string; reads: readonly string[] } | undefined;
}

/** What a table or function is found by: its schema and name as one text. */
export function nameKey({ schema, name }: { schema: string; name: string }): string {
  return JSON.stringify([schema, name]);
}
