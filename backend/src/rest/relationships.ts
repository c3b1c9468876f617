import type { Catalogue, KeyRow, RelationRow } from "./catalogue.ts";
import type { ColumnPairs, JunctionRelationship, KeyRelationship, TableName } from "./schema.ts";
import { viewOrigins } from "./view-columns.ts";

/** An exposed relation that shows a table: itself, or a view on it with some columns, perhaps under other names. */
export interface Showing {
  as: TableName;
  /** The table's column names to the names they are shown under. */
  columns: ReadonlyMap<string, string>;
}

/** Finds, by the OID of every table, the exposed relations that show it. */
export function findShowings(relations: readonly RelationRow[], keys: readonly KeyRow[]): Map<number, Showing[]> {
  const origins = new Map(relations.map(({ oid, query }) => [oid, query === null ? null : viewOrigins(query)]));
  // Only columns of keys matter, and their tables need not be exposed themselves.
  const keyColumns = new Map(
    keys.flatMap((key) => [
      ...key.numbers.map((number, index) => [place(key.table, number), key.columns[index] ?? ""] as const),
      ...key.targetNumbers.map((number, index) => [place(key.target, number), key.targetColumns[index] ?? ""] as const),
    ]),
  );
  const showings = new Map<number, Showing[]>();
  const add = (table: number, showing: Showing): unknown =>
    showings.has(table) ? showings.get(table)?.push(showing) : showings.set(table, [showing]);

  for (const relation of relations) {
    const own = origins.get(relation.oid);
    if (!own) {
      add(relation.oid, { as: relation, columns: new Map(relation.columns.map(({ name }) => [name, name])) });
      continue;
    }
    const shown = new Map<number, Map<string, string>>();
    for (const { number, name } of relation.columns) {
      const base = resolve(own.get(number));
      const baseName = base && keyColumns.get(place(base.relation, base.column));
      if (!base || baseName === undefined) continue;
      const columns = shown.get(base.relation) ?? new Map<string, string>();
      shown.set(base.relation, columns);
      if (!columns.has(baseName)) columns.set(baseName, name);
    }
    for (const [table, columns] of shown) add(table, { as: relation, columns });
  }
  return showings;

  function resolve(origin: { relation: number; column: number } | undefined): typeof origin {
    if (!origin) return undefined;
    const view = origins.get(origin.relation);
    return view ? resolve(view.get(origin.column)) : origin;
  }
}

function place(relation: number, column: number): string {
  return `${relation}.${column}`;
}

/** Derives every relationship between exposed relations from the foreign keys. */
export function deriveRelationships(
  catalogue: Catalogue,
  showings: ReadonlyMap<number, readonly Showing[]>,
): (KeyRelationship | JunctionRelationship)[] {
  const foreign = catalogue.keys.filter(({ kind }) => kind === "f");
  const unique = Map.groupBy(
    catalogue.keys.filter(({ kind }) => kind !== "f"),
    ({ table }) => table,
  );
  return [...foreign.flatMap((key) => keyRelationships(key, unique, showings)), ...junctionRelationships(foreign, unique, showings)];
}

type Keys = ReadonlyMap<number, readonly KeyRow[]>;
type Showings = ReadonlyMap<number, readonly Showing[]>;

function keyRelationships(key: KeyRow, unique: Keys, showings: Showings): KeyRelationship[] {
  const oneToOne = (unique.get(key.table) ?? []).some(({ columns }) => columns.every((column) => key.columns.includes(column)));
  return (showings.get(key.table) ?? []).flatMap((holder) =>
    (showings.get(key.target) ?? []).flatMap((target): KeyRelationship[] => {
      const columns = pairs(renamed(key.columns, holder), renamed(key.targetColumns, target));
      if (!columns) return [];
      const shared = { kind: "key", constraint: key.name } as const;
      return [
        { ...shared, from: holder.as, to: target.as, forward: true, toOne: true, columns },
        { ...shared, from: target.as, to: holder.as, forward: false, toOne: oneToOne, columns: swapped(columns) },
      ];
    }),
  );
}

// A junction is a table whose primary key holds two foreign keys.
function junctionRelationships(foreign: readonly KeyRow[], unique: Keys, showings: Showings): JunctionRelationship[] {
  return foreign.flatMap((entry) =>
    foreign.flatMap((exit) => {
      if (entry === exit || entry.table !== exit.table) return [];
      const primary = unique.get(entry.table)?.find(({ kind }) => kind === "p")?.columns ?? [];
      if (![...entry.columns, ...exit.columns].every((column) => primary.includes(column))) return [];
      const [junction] = showings.get(entry.table) ?? [];
      if (!junction) return [];
      return (showings.get(entry.target) ?? []).flatMap((from) =>
        (showings.get(exit.target) ?? []).flatMap((to): JunctionRelationship[] => {
          const inward = pairs(renamed(entry.targetColumns, from), renamed(entry.columns, junction));
          const outward = pairs(renamed(exit.columns, junction), renamed(exit.targetColumns, to));
          if (!inward || !outward) return [];
          const constraints = [entry.name, exit.name] as const;
          return [
            { kind: "junction", from: from.as, to: to.as, toOne: false, junction: junction.as, constraints, entry: inward, exit: outward },
          ];
        }),
      );
    }),
  );
}

/** A table's columns under the names they are shown by, or null when one is not shown. */
export function renamed(columns: readonly string[], showing: Showing): string[] | null {
  const shown = columns.map((column) => showing.columns.get(column)).filter((name) => name !== undefined);
  return shown.length === columns.length ? shown : null;
}

function pairs(own: readonly string[] | null, other: readonly string[] | null): ColumnPairs | null {
  if (!own || !other) return null;
  return own.map((column, index) => [column, other[index] ?? column] as const);
}

function swapped(columns: ColumnPairs): ColumnPairs {
  return columns.map(([own, other]) => [other, own] as const);
}
