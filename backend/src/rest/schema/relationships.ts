import type { Catalogue, KeyRow } from "./catalogue.ts";
import type { ColumnPairs, JunctionRelationship, KeyRelationship } from "./schema.ts";
import { renamed, type Exposure } from "./view-exposure.ts";

type Exposures = ReadonlyMap<number, readonly Exposure[]>;

/** Derives every relationship between exposed relations from the foreign keys. */
export function deriveRelationships({ keys }: Catalogue, exposures: Exposures): (KeyRelationship | JunctionRelationship)[] {
  const byTable = [...Map.groupBy(keys, ({ table }) => table).values()];
  return byTable.flatMap((keysOfTable) => {
    const unique = keysOfTable.filter(({ kind }) => kind !== "f");
    const isUnique = (key: KeyRow): boolean => unique.some(({ columns }) => hasSameColumns(columns, key.columns));
    const foreign = keysOfTable.filter(({ kind }) => kind === "f");
    const primary = unique.find(({ kind }) => kind === "p")?.columns ?? [];
    const manyToOne = foreign.filter((key) => !isUnique(key));
    const found: (KeyRelationship | JunctionRelationship)[] = foreign.flatMap((key) => keyRelationships(key, isUnique(key), exposures));
    return found.concat(manyToOne.flatMap((entry) => manyToOne.flatMap((exit) => junctionRelationships(entry, exit, primary, exposures))));
  });
}

function hasSameColumns(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((column) => others.includes(column));
}

function keyRelationships(key: KeyRow, oneToOne: boolean, exposures: Exposures): KeyRelationship[] {
  const shared = { kind: "key", constraint: key.name } as const;
  return (exposures.get(key.table) ?? []).flatMap((holder) =>
    (exposures.get(key.target) ?? []).flatMap((target) =>
      pairings(renamed(key.columns, holder), renamed(key.targetColumns, target)).flatMap((columns): KeyRelationship[] => [
        { ...shared, from: holder.as, to: target.as, forward: true, toOne: true, columns },
        { ...shared, from: target.as, to: holder.as, forward: false, toOne: oneToOne, columns: swapped(columns) },
      ]),
    ),
  );
}

// A junction is a table, or a view of it, whose primary key contains two foreign keys.
function junctionRelationships(entry: KeyRow, exit: KeyRow, primary: readonly string[], exposures: Exposures): JunctionRelationship[] {
  if (entry === exit) return [];
  return (exposures.get(entry.table) ?? []).flatMap((junction) => {
    // If a view shows the primary key twice, the first one counts.
    const primaryKey = renamed(primary, junction)[0] ?? [];
    const inKey = (columns: readonly string[]): boolean => columns.every((column) => primaryKey.includes(column));
    const inward = renamed(entry.columns, junction).filter(inKey);
    const outward = renamed(exit.columns, junction).filter(inKey);
    return (exposures.get(entry.target) ?? []).flatMap((from) =>
      (exposures.get(exit.target) ?? []).flatMap((to) =>
        pairings(renamed(entry.targetColumns, from), inward).flatMap((entryPairs) =>
          pairings(outward, renamed(exit.targetColumns, to)).map((exitPairs): JunctionRelationship => ({
            kind: "junction",
            from: from.as,
            to: to.as,
            toOne: false,
            junction: junction.as,
            constraints: [entry.name, exit.name],
            entry: entryPairs,
            exit: exitPairs,
          })),
        ),
      ),
    );
  });
}

/** Joins the columns of each list on one side with those of each list on the other. */
function pairings(own: readonly (readonly string[])[], other: readonly (readonly string[])[]): ColumnPairs[] {
  return own.flatMap((columns) =>
    other.map((others) => columns.map((column, index): [string, string] => [column, others[index] ?? column])),
  );
}

function swapped(columns: ColumnPairs): ColumnPairs {
  return columns.map(([own, other]) => [other, own] as const);
}
