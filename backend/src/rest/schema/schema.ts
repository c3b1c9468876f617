/** The name of a table, view or function with its schema. */
export interface TableName {
  schema: string;
  name: string;
}

/** The type of a value as SQL, and the functions that convert its values. */
export interface ValueType {
  /** With its schema unless it is built in, without length or precision. */
  type: string;
  /** The type below a domain, else the same. */
  baseType: string;
  /** The functions of a domain's casts to json, from json and from text. PostgREST calls them data representations. */
  toJson: string | null;
  fromJson: string | null;
  fromText: string | null;
}

/** A type without conversions. */
export function plainType(type: string): ValueType {
  return { type, baseType: type, toJson: null, fromJson: null, fromText: null };
}

export interface Column extends ValueType {
  name: string;
  nullable: boolean;
  /** The default of the column or its domain as SQL; for an identity column the call of `nextval`. */
  default: string | null;
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
  /** The columns of the primary key; for a view those of its table, if it shows them all. */
  primaryKey: readonly string[];
  /** The tables a read of it depends on, as `schema.table`: itself, or the tables behind a view. `*` stands for unknown tables. */
  reads: readonly string[];
}

export interface RoutineArgument {
  /** Empty for an argument without a name. */
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
  /** A row that is not of a table, with SQL types by column name; empty if they depend on the call. */
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

/** A relationship between two tables: a foreign key, a junction table, or a function of a row. */
export type Relationship = KeyRelationship | JunctionRelationship | ComputedRelationship;

export interface KeyRelationship {
  kind: "key";
  from: TableName;
  to: TableName;
  toOne: boolean;
  /** True if `from` has the foreign key. */
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
  /** The foreign keys of the junction to `from` and to `to`. */
  constraints: readonly [string, string];
  /** Column pairs from `from` to the junction, and from the junction to `to`. */
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

/** The tables, functions and relationships of the exposed schemas; immutable. */
export interface SchemaCache {
  table(schema: string, name: string): Table | undefined;
  tables(schema: string): readonly Table[];
  /** All overloads of a function, those with the fewest arguments first. */
  routines(schema: string, name: string): readonly Routine[];
  routineNames(schema: string): readonly string[];
  relationships(from: TableName): readonly Relationship[];
  /** A function of a row that can be used like a column: its SQL type and the tables it reads. */
  computedColumn(table: TableName, name: string): { type: string; reads: readonly string[] } | undefined;
}

/** Combines schema and name into one map key. */
export function nameKey({ schema, name }: { schema: string; name: string }): string {
  return JSON.stringify([schema, name]);
}
