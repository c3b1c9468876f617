import { useDeferredValue, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { leaveRow } from "./open-record/leave-row.ts";
import { useMarkedRow } from "./marked-row.ts";
import styles from "./record-table.module.css";
import { openClickedRow } from "./open-record/row-link.tsx";
import { SelectAll, SelectRow } from "./selection/select-row.tsx";
import type { Selection } from "./selection/use-selection.ts";

/** One column; on a narrow screen its heading is shown before the value. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row, past: boolean) => ReactNode;
  /**
   * The share of the width in percent of a column whose longer texts are cut. A column without it is as wide as its content.
   * On a narrow screen it has a line of its own and nothing is cut.
   */
  share?: number;
}

export interface RecordTableProps<Row> {
  /** The accessible name of the table. */
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The title of the group of a row; groups are in the order of their first rows. */
  groupOf?: ((row: Row) => string) | undefined;
  /** True for rows that are shown in a softer color. */
  isPast?: ((row: Row) => boolean) | undefined;
  renderActions: (row: Row) => ReactNode;
  /** The selection of rows, with the words that name a row; no checkboxes without it. */
  selection?: { selected: Selection<Row>; what: (row: Row) => string } | undefined;
}

/** Rows of the first render, more than any screen shows; the others of a long list are rendered after them. */
const FIRST_ROWS = 60;
/** Rows shown at once; a button shows more. */
export const ROWS_AT_ONCE = 250;

// Some browsers drop the roles of a table with another CSS display, so they are explicit.
// A click on a row does what its link does.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */
/** Shows rows as a table with a heading above each group, on a narrow screen as a list of records. */
export function RecordTable<Row extends { id: string }>(props: RecordTableProps<Row>) {
  const { caption, rows, columns, groupOf, isPast, renderActions, selection } = props;
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const deferred = useDeferredValue(rows, rows.slice(0, FIRST_ROWS));
  const groups = useMemo(() => [...Map.groupBy(deferred.slice(0, most), (row) => groupOf?.(row) ?? "")], [deferred, most, groupOf]);
  const isDense = columns.some(({ share }) => share !== undefined);
  return (
    <>
      <table role="table" onClick={openClickedRow} className={isDense ? `${styles.table} ${styles.dense}` : styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ heading, share }, index) => (
              <th key={heading} role="columnheader" scope="col" style={share === undefined ? undefined : { width: `${share}%` }}>
                {index === 0 && selection ? (
                  <SelectAll rows={rows} selection={selection.selected}>
                    {heading}
                  </SelectAll>
                ) : (
                  heading
                )}
              </th>
            ))}
            <th role="columnheader" scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        {groups.map(([title, grouped]) => (
          <tbody key={title} role="rowgroup">
            {title !== "" && (
              <tr role="row" className={styles.group}>
                <th role="rowheader" scope="rowgroup" colSpan={columns.length + 1}>
                  {title}
                </th>
              </tr>
            )}
            {grouped.map((row) => (
              <TableRow
                key={row.id}
                row={row}
                columns={columns}
                past={isPast?.(row) ?? false}
                actions={renderActions(row)}
                selection={selection}
              />
            ))}
          </tbody>
        ))}
      </table>
      {deferred.length > most && (
        <p className={styles.more}>
          <Button look="plain" onClick={() => setMost(most + ROWS_AT_ONCE)}>
            Show more ({deferred.length - most} left)
          </Button>
        </p>
      )}
    </>
  );
}

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  past: boolean;
  actions: ReactNode;
  selection: RecordTableProps<Row>["selection"];
}

function TableRow<Row extends { id: string }>({ row, columns, past, actions, selection }: TableRowProps<Row>) {
  const [element, isMarked] = useMarkedRow(row.id);
  useLayoutEffect(() => {
    const { current } = element;
    return () => leaveRow(current);
  }, [element]);
  return (
    <tr ref={element} role="row" className={[past && styles.past, isMarked && styles.marked].filter(Boolean).join(" ")}>
      {columns.map(({ heading, cell, share }, index) => (
        <td key={heading} role="cell" data-heading={heading} className={share === undefined ? undefined : styles.cut}>
          {index === 0 && selection ? (
            <SelectRow row={row} what={selection.what(row)} selection={selection.selected}>
              {cell(row, past)}
            </SelectRow>
          ) : (
            cell(row, past)
          )}
        </td>
      ))}
      <td role="cell" className={styles.actions}>
        {actions}
      </td>
    </tr>
  );
}
