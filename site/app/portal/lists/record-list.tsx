import { useMemo, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { exportCsv, type CsvColumn } from "./csv.ts";
import { narrow, type ListFilter, type Narrowed } from "./list-filter.ts";
import { ListTools } from "./list-tools.tsx";
import type { Loaded } from "../frame/outcome.ts";
import styles from "./record-list.module.css";
import { ROWS_AT_ONCE, RecordTable, type RecordTableProps } from "./record-table.tsx";
import { usePromise } from "../frame/use-promise.ts";

interface RecordListProps<Row> extends Omit<RecordTableProps<Row>, "rows"> {
  loaded: Promise<Loaded<Row>>;
  /** Rows that are shown no more. */
  gone?: ReadonlySet<object>;
  /** Said where there is nothing yet. */
  empty: ReactNode;
  /** Offers a search; what the address asks for by the same names is chosen first. */
  filter?: ListFilter<Row>;
  /** How many are listed, in words. */
  total?: (listed: readonly Row[], all: number) => string;
  /** Offers what is listed as a file with these columns. */
  file?: { name: string; columns: readonly CsvColumn<Row>[] };
}

/** The one list of the portal, with its spinner, its empty state, its error, its search and its file. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { loaded, gone, empty, filter, total = inTotal, file, ...table } = props;
  const answer = usePromise(loaded);
  const [search] = useSearchParams();
  const [chosen, setChosen] = useState<Narrowed>(() => Object.fromEntries(search));
  const all = useMemo(() => (answer?.ok ? answer.rows.filter((row) => !gone?.has(row)) : NOTHING), [answer, gone]);
  const first = all.length > ROWS_AT_ONCE ? filter?.first : undefined;
  const narrowed = useMemo(() => ({ ...first, ...chosen }), [first, chosen]);
  const listed = useMemo(() => (filter ? narrow(all, filter, narrowed) : all), [all, filter, narrowed]);
  return (
    <>
      {filter && (
        <ListTools
          filter={filter}
          narrowed={narrowed}
          change={setChosen}
          total={answer?.ok ? total(listed, all.length) : undefined}
          exportCsv={file && (listed.length === 0 ? null : () => exportCsv(file.name, file.columns, listed))}
        />
      )}
      {!answer && <Spinner />}
      {answer && !answer.ok && (
        <Message tone="error">
          <p>{answer.message}</p>
        </Message>
      )}
      {answer?.ok && all.length === 0 && <div className={styles.empty}>{empty}</div>}
      {all.length > 0 && listed.length === 0 && <p className={styles.none}>No results.</p>}
      {listed.length > 0 && <RecordTable rows={listed} {...table} />}
    </>
  );
}

const NOTHING: readonly never[] = [];

function inTotal(listed: readonly unknown[], all: number): string {
  return listed.length === all ? `${all} in all` : `${listed.length} of ${all}`;
}
