import { useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Options } from "../forms/options.tsx";
import { exportCsv, type CsvColumn } from "./csv.ts";
import { narrow, type ListFilter, type Narrowed } from "./list-filter.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded } from "../frame/outcome.ts";
import styles from "./record-list.module.css";
import { ROWS_AT_ONCE, RecordTable, type RecordTableProps } from "./record-table.tsx";
import { usePromise } from "../frame/use-promise.ts";

interface RecordListProps<Row> extends Omit<RecordTableProps<Row>, "rows"> {
  loaded: Promise<Loaded<Row>>;
  /** Rows that are being deleted (optimistic update). */
  removed?: ReadonlySet<object>;
  /** Shown if there are no rows. */
  empty: { title: string; text?: string };
  /** The search and filters; their initial values are the query parameters with the same names. */
  filter?: ListFilter<Row>;
  /** Returns the number of rows in words. */
  total?: (listed: readonly Row[], all: number) => string;
  /** The name and columns of the CSV file of the listed rows. */
  file?: { name: string; columns: readonly CsvColumn<Row>[] };
}

/** A list of records with its spinner, empty state, error, search and CSV file. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { loaded, removed, empty, filter, total = inTotal, file, ...table } = props;
  const result = usePromise(loaded);
  const [search] = useSearchParams();
  const [chosen, setChosen] = useState<Narrowed>(() => Object.fromEntries(search));
  const all = useMemo(() => (result?.ok ? result.rows.filter((row) => !removed?.has(row)) : NOTHING), [result, removed]);
  const first = all.length > ROWS_AT_ONCE ? filter?.first : undefined;
  const narrowed = useMemo(() => ({ ...first, ...chosen }), [first, chosen]);
  const listed = useMemo(() => (filter ? narrow(all, filter, narrowed) : all), [all, filter, narrowed]);
  return (
    <>
      {filter && (
        <>
          <search className={styles.filter}>
            <TextField
              id="words"
              type="search"
              standalone
              label="Search"
              hint={filter.hint}
              value={narrowed["words"] ?? ""}
              onChange={(event) => setChosen({ ...chosen, words: event.currentTarget.value })}
            />
            {filter.choices?.map(({ name, label, labels }) => (
              <SelectField
                key={name}
                id={`show-${name}`}
                label={label}
                standalone
                value={narrowed[name] ?? ""}
                onChange={(event) => setChosen({ ...chosen, [name]: event.currentTarget.value })}
              >
                <option value="">All</option>
                <Options labels={labels} />
              </SelectField>
            ))}
          </search>
          <div className={`row spread ${styles.summary}`}>
            <p role="status">{result?.ok && total(listed, all.length)}</p>
            {file && (
              <Button look="plain" size="small" disabled={listed.length === 0} onClick={() => exportCsv(file.name, file.columns, listed)}>
                Export CSV
              </Button>
            )}
          </div>
        </>
      )}
      <LoadStatus result={result} />
      {result?.ok && all.length === 0 && (
        <div className={styles.empty}>
          <p>{empty.title}</p>
          {empty.text !== undefined && <p>{empty.text}</p>}
        </div>
      )}
      {all.length > 0 && listed.length === 0 && <p className={styles.none}>No results.</p>}
      {listed.length > 0 && <RecordTable rows={listed} {...table} />}
    </>
  );
}

const NOTHING: readonly never[] = [];

function inTotal(listed: readonly unknown[], all: number): string {
  return listed.length === all ? `${all} in all` : `${listed.length} of ${all}`;
}
