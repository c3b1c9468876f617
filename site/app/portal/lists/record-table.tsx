import { useDeferredValue, useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "./record-table.module.css";

/** One column; on a narrow screen its heading is shown before the value. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row, past: boolean) => ReactNode;
}

export interface RecordTableProps<Row> {
  /** The accessible name of the table. */
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** True for rows that are shown in a softer color. */
  isPast?: ((row: Row) => boolean) | undefined;
  renderActions: (row: Row) => ReactNode;
}

/** Rows of the first render, more than any screen shows; the others of a long list are rendered after them. */
const FIRST_ROWS = 60;
/** Rows shown at once; a button shows more. */
export const ROWS_AT_ONCE = 250;

// Some browsers drop the roles of a table with another CSS display, so they are explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
/** Shows rows as a table, on a narrow screen as a list of records. */
export function RecordTable<Row extends { id: string }>({ caption, rows, columns, isPast, renderActions }: RecordTableProps<Row>) {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const deferred = useDeferredValue(rows, rows.slice(0, FIRST_ROWS));
  const shown = deferred.slice(0, most);
  return (
    <>
      <table role="table" className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ heading }) => (
              <th key={heading} role="columnheader" scope="col">
                {heading}
              </th>
            ))}
            <th role="columnheader" scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row) => {
            const past = isPast?.(row) ?? false;
            return (
              <tr key={row.id} role="row" className={past ? styles.past : undefined}>
                {columns.map(({ heading, cell }) => (
                  <td key={heading} role="cell" data-heading={heading}>
                    {cell(row, past)}
                  </td>
                ))}
                <td role="cell" className={styles.actions}>
                  {renderActions(row)}
                </td>
              </tr>
            );
          })}
        </tbody>
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
