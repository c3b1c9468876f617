import { Suspense, use, type ReactNode } from "react";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import type { Loaded } from "./outcome.ts";
import styles from "./record-list.module.css";

/** One column; on a narrow screen its heading stands before the value. */
export interface Column<Row> {
  heading: string;
  cell: (row: Row, past: boolean) => ReactNode;
}

interface RecordListProps<Row> {
  /** Names the list. */
  caption: string;
  loaded: Promise<Loaded<Row>>;
  columns: readonly Column<Row>[];
  /** Said where there is nothing yet. */
  empty: ReactNode;
  /** Rows that are over, in quieter type. */
  isPast?: (row: Row) => boolean;
  renderActions: (row: Row) => ReactNode;
}

/** The one list of the portal: a table, on a narrow screen a list of records, with its spinner, its empty state and its error. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  return (
    <Suspense fallback={<Spinner />}>
      <Records {...props} />
    </Suspense>
  );
}

// A table that is not laid out as one loses its roles in some browsers, so they are written out.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
function Records<Row extends { id: string }>({
  caption,
  loaded,
  columns,
  empty,
  isPast,
  renderActions,
}: RecordListProps<Row>) {
  const answer = use(loaded);
  if (!answer.ok) {
    return (
      <Message tone="error">
        <p>{answer.message}</p>
      </Message>
    );
  }
  if (answer.rows.length === 0) return <div className={styles.empty}>{empty}</div>;
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
        {answer.rows.map((row) => {
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
