import type { KeyRow, RelationRow } from "./catalogue.ts";
import type { TableName } from "./schema.ts";
import { viewOrigins, type Origin } from "./view-columns.ts";

/** An exposed relation that shows a table: itself, or a view on it with some columns, perhaps under other names. */
export interface Showing {
  as: TableName;
  /** The table's column names to the names they are shown under. */
  columns: ReadonlyMap<string, string>;
}

/** Finds, by the OID of every table, the exposed relations that show it. */
export function findShowings(relations: readonly RelationRow[], keys: readonly KeyRow[]): Map<number, Showing[]> {
  const origins = new Map(relations.map(({ oid, query }) => [oid, query === null ? null : viewOrigins(query)]));
  const keyColumns = namesOfKeyColumns(keys);
  const all = relations.flatMap((relation): { table: number; showing: Showing }[] => {
    const own = origins.get(relation.oid);
    if (!own) {
      const columns = new Map(relation.columns.map(({ name }) => [name, name]));
      return [{ table: relation.oid, showing: { as: relation, columns } }];
    }
    const shown = relation.columns.flatMap(({ number, name }) => {
      const base = resolve(own.get(number));
      const baseName = base && keyColumns.get(place(base));
      return base && baseName !== undefined ? [{ table: base.relation, pair: [baseName, name] as const }] : [];
    });
    return [...Map.groupBy(shown, ({ table }) => table)].map(([table, columns]) => {
      // Of a column shown twice, the first counts.
      const pairs = columns.map(({ pair }) => pair).toReversed();
      return { table, showing: { as: relation, columns: new Map(pairs) } };
    });
  });
  return new Map([...Map.groupBy(all, ({ table }) => table)].map(([table, list]) => [table, list.map(({ showing }) => showing)]));

  function resolve(origin: Origin | undefined): Origin | undefined {
    if (!origin) return undefined;
    const view = origins.get(origin.relation);
    return view ? resolve(view.get(origin.column)) : origin;
  }
}

/** A table's columns under the names they are shown by, or null when one is not shown. */
export function renamed(columns: readonly string[], showing: Showing): string[] | null {
  const shown = columns.map((column) => showing.columns.get(column)).filter((name) => name !== undefined);
  return shown.length === columns.length ? shown : null;
}

// Only columns of keys matter, and their tables need not be exposed themselves.
function namesOfKeyColumns(keys: readonly KeyRow[]): Map<string, string> {
  return new Map(
    keys.flatMap((key) => [
      ...key.numbers.map((column, index) => [place({ relation: key.table, column }), key.columns[index] ?? ""] as const),
      ...key.targetNumbers.map((column, index) => [place({ relation: key.target, column }), key.targetColumns[index] ?? ""] as const),
    ]),
  );
}

function place({ relation, column }: Origin): string {
  return `${relation}.${column}`;
}
