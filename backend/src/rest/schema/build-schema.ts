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
import { findShowings, renamed, type Showing } from "./view-exposure.ts";

/** Makes a schema cache of the catalogue's rows; pure. */
export function buildSchemaCache(catalogue: Catalogue): SchemaCache {
  const showings = findShowings(catalogue.relations, catalogue.keys);
  const primaryKeys = findPrimaryKeys(catalogue.keys, showings);
  const byOid = new Map(catalogue.relations.map((row) => [row.oid, makeTable(row, primaryKeys.get(nameKey(row)) ?? [])]));
  const tables = Map.groupBy(byOid.values(), ({ schema }) => schema);
  const byName = new Map([...byOid.values()].map((table) => [nameKey(table), table]));
  const routines = Map.groupBy(
    catalogue.routines.map((row) => makeRoutine(row, byOid)),
    nameKey,
  );
  const computed = catalogue.routines.flatMap((row) => computedOf(row, byOid));
  const relationships: Map<string, Relationship[]> = Map.groupBy(
    [...computed.flatMap(({ relationship }) => relationship ?? []), ...deriveRelationships(catalogue, showings)],
    ({ from }) => nameKey(from),
  );
  const computedTypes = new Map(computed.flatMap(({ key, type }) => (type === null ? [] : [[key, type]])));
  return {
    table: (schema, name) => byName.get(nameKey({ schema, name })),
    tables: (schema) => tables.get(schema) ?? [],
    routines: (schema, name) => routines.get(nameKey({ schema, name })) ?? [],
    routineNames: (schema) => [...new Set(catalogue.routines.filter((row) => row.schema === schema).map(({ name }) => name))],
    relationships: (from) => relationships.get(nameKey(from)) ?? [],
    computedType: (table, name) => computedTypes.get(computedKey(table, name)),
  };
}

function findPrimaryKeys(keys: readonly KeyRow[], showings: ReadonlyMap<number, readonly Showing[]>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of keys.filter(({ kind }) => kind === "p")) {
    for (const showing of showings.get(key.table) ?? []) {
      const columns = renamed(key.columns, showing);
      if (columns && !found.has(nameKey(showing.as))) found.set(nameKey(showing.as), columns);
    }
  }
  return found;
}

function makeTable(row: RelationRow, primaryKey: readonly string[]): Table {
  return {
    oid: row.oid,
    schema: row.schema,
    name: row.name,
    kind: row.kind === "v" || row.kind === "m" ? "view" : "table",
    description: row.description,
    columns: new Map(row.columns.map((column) => [column.name, column])),
    primaryKey,
  };
}

function makeRoutine(row: RoutineRow, tables: ReadonlyMap<number, Table>): Routine {
  const inputs = row.args.filter(({ mode }) => mode === "i" || mode === "b" || mode === "v");
  const args = inputs.map(({ name, type, mode }, index): RoutineArgument => {
    const variadic = mode === "v";
    return { name, type, variadic, required: !variadic && index < inputs.length - row.defaults };
  });
  const volatility = row.volatility === "v" ? "volatile" : row.volatility === "s" ? "stable" : "immutable";
  const { oid, schema, name, description, returnsSet } = row;
  return { oid, schema, name, description, volatility, args, returnsSet, result: makeResult(row, tables) };
}

function makeResult(row: RoutineRow, tables: ReadonlyMap<number, Table>): RoutineResult {
  const table = tables.get(row.returnsRelation);
  if (table) return { kind: "table", table };
  const outputs = row.args.filter(({ mode }) => mode === "o" || mode === "b" || mode === "t");
  if (outputs.length > 0 || row.returnsKind === "c" || row.returns === "record")
    return { kind: "record", columns: new Map(outputs.map(({ name, type }) => [name, type])) };
  return row.returns === "void" ? { kind: "void" } : { kind: "scalar", type: row.returns };
}

/** What a function of one row means for its table: a computed column, or a computed relationship. */
function computedOf(
  row: RoutineRow,
  tables: ReadonlyMap<number, Table>,
): { key: string; type: string | null; relationship: ComputedRelationship | null }[] {
  const [argument, ...others] = row.args.filter(({ mode }) => mode !== "t" && mode !== "o");
  const from = argument && others.length === 0 ? tables.get(argument.relation) : undefined;
  if (!from) return [];
  const to = tables.get(row.returnsRelation);
  const key = computedKey(from, row.name);
  if (!to) return [{ key, type: row.returnsSet ? null : row.returns, relationship: null }];
  const toOne = !row.returnsSet || row.rows === 1;
  return [{ key, type: null, relationship: { kind: "computed", from, to, toOne, routine: { schema: row.schema, name: row.name } } }];
}

function computedKey(table: { schema: string; name: string }, name: string): string {
  return JSON.stringify([table.schema, table.name, name]);
}
