import { useDeferredValue, type ReactNode } from "react";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { Loaded } from "./outcome.ts";
import { useSettled } from "./settled.ts";
import styles from "./record-list.module.css";

/** One column; on a narrow screen its heading stands before the value. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row, past: boolean) => ReactNode;
}

interface RecordListProps<Row> extends Omit<RecordTableProps<Row>, "rows"> {
  loaded: Promise<Loaded<Row>>;
  /** Said where there is nothing yet. */
  empty: ReactNode;
}

interface RecordTableProps<Row> {
  /** Names the list. */
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** Rows that are over, in quieter type. */
  isPast?: (row: Row) => boolean;
  renderActions: (row: Row) => ReactNode;
}

/** More than any screen shows; the rest of a long list follows when these are there. */
const FIRST_ROWS = 60;

/** The one list of the portal: a table, on a narrow screen a list of records, with its spinner, its empty state and its error. */
export function RecordList<Row extends { id: string }>({ loaded, empty, ...table }: RecordListProps<Row>) {
  const answer = useSettled(loaded);
  if (!answer) return <Spinner />;
  if (!answer.ok) {
    return (
      <Message tone="error">
        <p>{answer.message}</p>
      </Message>
    );
  }
  return answer.rows.length === 0 ? <div className={styles.empty}>{empty}</div> : <RecordTable rows={answer.rows} {...table} />;
}

// A table that is not laid out as one loses its roles in some browsers, so they are written out.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
function RecordTable<Row extends { id: string }>({ caption, rows, columns, isPast, renderActions }: RecordTableProps<Row>) {
  const shown = useDeferredValue(rows, rows.slice(0, FIRST_ROWS));
  return (
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
  );
}
