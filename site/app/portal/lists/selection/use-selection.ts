import { useState } from "react";

/** The selected rows of a list. */
export interface Selection<Row> {
  /** The selected rows in the order of the list; rows that are no longer listed are not selected. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  /** Selects a row or not; with `range` also the rows between it and the one before. */
  set: (row: Row, selected: boolean, range: boolean) => void;
  /** Selects these rows or not. */
  setAll: (rows: readonly Row[], selected: boolean) => void;
  clear: () => void;
}

/** Manages the selection among the listed rows, in their order on the screen. */
export function useSelection<Row extends { id: string }>(listed: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);

  function setAll(rows: readonly Row[], selected: boolean): void {
    const changed = new Set(rows.map(({ id }) => id));
    setIds((now) => (selected ? now.union(changed) : now.difference(changed)));
  }

  return {
    rows: ids.size === 0 ? [] : listed.filter(({ id }) => ids.has(id)),
    has: ({ id }) => ids.has(id),
    set(row, selected, range) {
      setLast(row.id);
      setAll(range ? between(listed, last, row) : [row], selected);
    },
    setAll,
    clear() {
      setIds(new Set());
      setLast(null);
    },
  };
}

/** The rows from the one with this id to another, both included; that one alone if the first is not listed. */
function between<Row extends { id: string }>(listed: readonly Row[], from: string | null, to: Row): readonly Row[] {
  const ends = [listed.findIndex(({ id }) => id === from), listed.findIndex(({ id }) => id === to.id)];
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  return first < 0 ? [to] : listed.slice(first, last + 1);
}
