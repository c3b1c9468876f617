import type { KeyboardEvent, ReactNode } from "react";
import styles from "./selection.module.css";
import type { Selection } from "./use-selection.ts";

interface SelectRowProps<Row> {
  row: Row;
  /** The record in words that differ from those of the other rows. */
  what: string;
  selection: Selection<Row>;
  children: ReactNode;
}

/** The first cell of a row with its checkbox. The arrow keys move to the next row, with Shift they also select it; Shift with a click selects all between. */
export function SelectRow<Row>({ row, what, selection, children }: SelectRowProps<Row>) {
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const boxes = [...(event.currentTarget.closest("table")?.querySelectorAll<HTMLInputElement>("td input[data-select]") ?? [])];
    const next = boxes[boxes.indexOf(event.currentTarget) + by];
    if (event.shiftKey && !event.currentTarget.checked) event.currentTarget.click();
    if (event.shiftKey && next?.checked === false) next.click();
    next?.focus();
  }

  return (
    <div className={styles.cell}>
      <label className={styles.box}>
        <input
          type="checkbox"
          data-select
          aria-label={`Select ${what}`}
          checked={selection.has(row)}
          onKeyDown={onKeyDown}
          // Shift would select the text between.
          onMouseDown={(event) => event.shiftKey && event.preventDefault()}
          onChange={({ currentTarget, nativeEvent }) =>
            selection.set(row, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </label>
      <div>{children}</div>
    </div>
  );
}

/** The checkbox of the heading, which selects all rows. */
export function SelectAll<Row>({ rows, selection, children }: { rows: readonly Row[]; selection: Selection<Row>; children: ReactNode }) {
  const count = rows.filter(selection.has).length;
  return (
    <div className={styles.cell}>
      <label className={styles.box}>
        <input
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < rows.length;
          }}
          type="checkbox"
          aria-label={`Select all ${rows.length}`}
          checked={count === rows.length}
          onChange={({ currentTarget }) => selection.setAll(rows, currentTarget.checked)}
        />
      </label>
      <div>{children}</div>
    </div>
  );
}
