import type { Catalogue, KeyRow, RelationRow, RoutineRow } from "./catalogue.ts";
import { deriveRelationships } from "./relationships.ts";
import {
  nameKey,
  type ComputedRelationship,
  type Relationship,
  type Routine,
  type RoutineArgument,
  type RoutineResult,
  type SchemaCache,
  type Table,
} from "./schema.ts";
import { findExposures, renamed, type Exposure } from "./view-exposure.ts";

/** Builds a schema cache from the rows of the catalogue; pure. */
export function buildSchemaCache(catalogue: Catalogue): SchemaCache {
  const exposures = findExposures(catalogue);
  const primaryKeys = findPrimaryKeys(catalogue.keys, exposures);
  const viewReads = readsByOid(catalogue, "view");
  const routineReads = readsByOid(catalogue, "function");
  const byOid = new Map(
    catalogue.relations.map((row) => [row.oid, makeTable(row, primaryKeys.get(nameKey(row)) ?? [], viewReads.get(row.oid))]),
  );
  const tables = Map.groupBy(byOid.values(), ({ schema }) => schema);
  const byName = new Map([...byOid.values()].map((table) => [nameKey(table), table]));
  const callable = catalogue.routines.map((row) => makeRoutine(row, byOid, routineReads.get(row.oid))).filter(isCallable);
  const routines = Map.groupBy(callable.toSorted(compareRoutines), nameKey);
  const computed = catalogue.routines.flatMap((row) => computedOf(row, byOid, routineReads.get(row.oid)));
  const relationships: Map<string, Relationship[]> = Map.groupBy(
    [...computed.flatMap(({ relationship }) => relationship ?? []), ...deriveRelationships(catalogue, exposures)],
    ({ from }) => nameKey(from),
  );
  const computedColumns = new Map(computed.flatMap(({ key, column }) => (column ? [[key, column]] : [])));
  return {
    table: (schema, name) => byName.get(nameKey({ schema, name })),
    tables: (schema) => tables.get(schema) ?? [],
    routines: (schema, name) => routines.get(nameKey({ schema, name })) ?? [],
    routineNames: (schema) => [...new Set(callable.filter((routine) => routine.schema === schema).map(({ name }) => name))],
    relationships: (from) => relationships.get(nameKey(from)) ?? [],
    computedColumn: (table, name) => computedColumns.get(computedKey(table, name)),
  };
}

function findPrimaryKeys(keys: readonly KeyRow[], exposures: ReadonlyMap<number, readonly Exposure[]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of keys.filter(({ kind }) => kind === "p")) {
    for (const exposure of exposures.get(key.table) ?? []) {
      const [columns] = renamed(key.columns, exposure);
      if (columns && !found.has(nameKey(exposure.as))) found.set(nameKey(exposure.as), columns);
    }
  }
  return found;
}

function readsByOid({ reads }: Catalogue, wanted: "view" | "function"): Map<number, readonly string[]> {
  return new Map(reads.filter(({ kind }) => kind === wanted).map(({ oid, tables }) => [oid, tables]));
}

function makeTable(row: RelationRow, primaryKey: readonly string[], reads: readonly string[] | undefined): Table {
  return {
    oid: row.oid,
    schema: row.schema,
    name: row.name,
    kind: row.kind === "v" || row.kind === "m" ? "view" : "table",
    description: row.description,
    columns: new Map(row.columns.map((column) => [column.name, column])),
    primaryKey,
    reads: reads ?? [`${row.schema}.${row.name}`],
  };
}

function makeRoutine(row: RoutineRow, tables: ReadonlyMap<number, Table>, reads: readonly string[] = []): Routine {
  const inputs = row.args.filter(({ mode }) => mode === "i" || mode === "b" || mode === "v");
  const args = inputs.map(({ name, type, mode }, index): RoutineArgument => {
    const variadic = mode === "v";
    return { name, type, variadic, required: !variadic && index < inputs.length - row.defaults };
  });
  const volatility = row.volatility === "v" ? "volatile" : row.volatility === "s" ? "stable" : "immutable";
  const { oid, schema, name, description, returnsSet } = row;
  return { oid, schema, name, description, volatility, args, returnsSet, result: makeResult(row, tables), reads };
}

const UNNAMED_TYPES: ReadonlySet<string> = new Set(["bytea", "json", "jsonb", "text", "xml"]);

/** Returns true if a function can be called: an argument without a name can only receive the whole body. */
function isCallable({ args }: Routine): boolean {
  return args.every(({ name, type }) => name !== "" || (args.length === 1 && UNNAMED_TYPES.has(type)));
}

function compareRoutines(a: Routine, b: Routine): number {
  return a.args.length - b.args.length || (signature(a) < signature(b) ? -1 : 1);
}

function signature({ args }: Routine): string {
  return JSON.stringify(args.map(({ name, type }) => [name, type]));
}

function makeResult(row: RoutineRow, tables: ReadonlyMap<number, Table>): RoutineResult {
  const table = tables.get(row.returnsRelation);
  if (table) return { kind: "table", table };
  const outputs = row.args.filter(({ mode }) => mode === "o" || mode === "b" || mode === "t");
  if (outputs.length > 0 || row.returnsKind === "c")
    return { kind: "record", columns: new Map(outputs.map(({ name, type }) => [name, type])) };
  return row.returns === "void" ? { kind: "void" } : { kind: "scalar", type: row.returns };
}

type ComputedColumn = NonNullable<ReturnType<SchemaCache["computedColumn"]>>;

/** Reads a function with one row as its argument: a computed column or a computed relationship. */
function computedOf(
  row: RoutineRow,
  tables: ReadonlyMap<number, Table>,
  reads: readonly string[] = [],
): { key: string; column: ComputedColumn | null; relationship: ComputedRelationship | null }[] {
  const [argument, ...others] = row.args.filter(({ mode }) => mode !== "t" && mode !== "o");
  const from = argument && others.length === 0 ? tables.get(argument.relation) : undefined;
  if (!from) return [];
  const to = tables.get(row.returnsRelation);
  const key = computedKey(from, row.name);
  if (!to) return [{ key, column: row.returnsSet ? null : { type: row.returns, reads }, relationship: null }];
  const toOne = !row.returnsSet || row.rows === 1;
  const routine = { schema: row.schema, name: row.name };
  return [{ key, column: null, relationship: { kind: "computed", from, to, toOne, routine, reads } }];
}

function computedKey(table: { schema: string; name: string }, name: string): string {
  return JSON.stringify([table.schema, table.name, name]);
}
