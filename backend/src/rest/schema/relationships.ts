import type { Catalogue, KeyRow } from "./catalogue.ts";
import type { ColumnPairs, JunctionRelationship, KeyRelationship } from "./schema.ts";
import { renamed, type Exposure } from "./view-exposure.ts";

type Keys = ReadonlyMap<number, readonly KeyRow[]>;
type Exposures = ReadonlyMap<number, readonly Exposure[]>;

/** Derives every relationship between exposed relations from the foreign keys. */
export function deriveRelationships(catalogue: Catalogue, exposures: Exposures): (KeyRelationship | JunctionRelationship)[] {
  const foreign = catalogue.keys.filter(({ kind }) => kind === "f");
  const unique = Map.groupBy(
    catalogue.keys.filter(({ kind }) => kind !== "f"),
    ({ table }) => table,
  );
  return [...foreign.flatMap((key) => keyRelationships(key, unique, exposures)), ...junctionRelationships(foreign, unique, exposures)];
}

function keyRelationships(key: KeyRow, unique: Keys, exposures: Exposures): KeyRelationship[] {
  const oneToOne = (unique.get(key.table) ?? []).some(({ columns }) => columns.every((column) => key.columns.includes(column)));
  return (exposures.get(key.table) ?? []).flatMap((holder) =>
    (exposures.get(key.target) ?? []).flatMap((target): KeyRelationship[] => {
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

// A junction is a table whose primary key contains two foreign keys.
function junctionRelationships(foreign: readonly KeyRow[], unique: Keys, exposures: Exposures): JunctionRelationship[] {
  return foreign.flatMap((entry) =>
    foreign.flatMap((exit) => {
      if (entry === exit || entry.table !== exit.table) return [];
      const primary = unique.get(entry.table)?.find(({ kind }) => kind === "p")?.columns ?? [];
      if (![...entry.columns, ...exit.columns].every((column) => primary.includes(column))) return [];
      const [junction] = exposures.get(entry.table) ?? [];
      if (!junction) return [];
      return (exposures.get(entry.target) ?? []).flatMap((from) =>
        (exposures.get(exit.target) ?? []).flatMap((to): JunctionRelationship[] => {
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

function pairs(own: readonly string[] | null, other: readonly string[] | null): ColumnPairs | null {
  if (!own || !other) return null;
  return own.map((column, index) => [column, other[index] ?? column] as const);
}

function swapped(columns: ColumnPairs): ColumnPairs {
  return columns.map(([own, other]) => [other, own] as const);
}
