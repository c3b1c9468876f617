import { useId, useMemo, useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Options } from "../forms/options.tsx";
import type { CsvColumn } from "./csv/csv.ts";
import { narrow, type ListFilter } from "./list-filter.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded } from "../frame/outcome.ts";
import styles from "./record-list.module.css";
import { ROWS_AT_ONCE, RecordTable, type RecordTableProps } from "./record-table.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { SelectedBar } from "./selection/selected-bar.tsx";
import { useFilters } from "./use-filters.ts";
import { useFurtherRows } from "./use-further-rows.ts";
import { useSelection } from "./selection/use-selection.ts";

interface RecordListProps<Row> extends Omit<RecordTableProps<Row>, "rows" | "selection"> {
  loaded: Promise<Loaded<Row>>;
  /** The id of the record whose rows are listed. Rows of another one are not shown while its own are loading. */
  of?: string | null;
  /** Rows, and ids of rows, that are not shown (optimistic update). */
  removed?: ReadonlySet<object | string>;
  /** Shown if there are no rows. */
  empty: { title: string; text?: string };
  /** The search and filters; their initial values are the query parameters with the same names. */
  filter?: ListFilter<Row>;
  /** The choice of the records that the list reads. */
  scope?: ReactNode;
  /** More about the chosen records, above the list. */
  panel?: ReactNode;
  /** Searches records that the list does not read; they follow the list under this title. */
  further?: Further<Row> | undefined;
  /** Returns the number of rows in words. */
  total?: (listed: readonly Row[], all: number) => string;
  /** The name and columns of the CSV file of the listed rows. */
  file?: { name: string; columns: readonly CsvColumn<Row>[] };
  /** Actions on several rows, which then have checkboxes. */
  bulk?: {
    /** The word for one row: "booking". */
    noun: string;
    /** Its plural, unless that is formed with an s. */
    nouns?: string;
    /** The record in words that differ from those of the other rows. */
    what: (row: Row) => string;
    render: (rows: readonly Row[], clear: () => void) => ReactNode;
  };
}

/** A search of records that a list does not read. */
export interface Further<Row> {
  search: (words: string) => Promise<readonly Row[]>;
  title: (count: number) => string;
  /** Shown if neither the list nor this search has a result. */
  otherwise: ReactNode;
}

function isIn(removed: ReadonlySet<object | string> | undefined, row: { id: string }): boolean {
  return removed !== undefined && (removed.has(row) || removed.has(row.id));
}

/** A list of records with its spinner, empty state, error, search and CSV file. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { loaded, of, removed, empty, filter, total = inTotal, file, scope, panel, further, bulk, ...rest } = props;
  const result = useLoaded(loaded, of);
  const [chosen, choose] = useFilters();
  const all = useMemo(() => (result?.ok ? result.rows.filter((row) => !isIn(removed, row)) : NOTHING), [result, removed]);
  const first = all.length > ROWS_AT_ONCE ? filter?.first : undefined;
  const narrowed = useMemo(() => ({ ...first, ...chosen }), [first, chosen]);
  const listed = useMemo(() => (filter ? narrow(all, filter, narrowed) : all), [all, filter, narrowed]);
  const found = useFurtherRows(narrowed["words"] ?? "", further?.search, result);
  const more = useMemo(() => {
    const others = found.filter((row) => !isIn(removed, row));
    return filter ? narrow(others, filter, narrowed) : others;
  }, [found, removed, filter, narrowed]);
  const selected = useSelection(useMemo(() => [...listed, ...more], [listed, more]));
  const table = { ...rest, selection: bulk && { selected, what: bulk.what } };
  const choices = filter?.choices ?? [];
  // One filter fits beside the search on a phone too.
  const folds = choices.length + (scope ? 1 : 0) > 1;
  const active = [...choices.map(({ name }) => name), "when", "date"].filter((name) => (narrowed[name] ?? "") !== "").length;
  const [filtersShown, showFilters] = useState(false);
  const moreTitle = more.length > 0 && further ? further.title(more.length) : "";
  return (
    <>
      {filter && (
        <div className={styles.head}>
          <search className={styles.filter} data-folds={folds || undefined} data-shown={filtersShown || undefined}>
            <TextField
              id="words"
              type="search"
              standalone
              label="Search"
              placeholder={filter.hint}
              value={narrowed["words"] ?? ""}
              onChange={(event) => choose("words", event.currentTarget.value)}
            />
            {folds && (
              <Button
                look="plain"
                size="small"
                className={styles.fold}
                aria-expanded={filtersShown}
                onClick={() => showFilters(!filtersShown)}
              >
                Filters{active > 0 && ` (${active})`}
              </Button>
            )}
            {scope}
            {choices.map(({ name, label, labels }) => (
              <SelectField
                key={name}
                id={`show-${name}`}
                label={label}
                standalone
                value={narrowed[name] ?? ""}
                onChange={(event) => choose(name, event.currentTarget.value)}
              >
                <option value="">All</option>
                <Options labels={labels} />
              </SelectField>
            ))}
          </search>
          <div className={styles.summary}>
            <p role="status">{result?.ok && [total(listed, all.length), moreTitle].filter(Boolean).join(", ")}</p>
            {file && listed.length > 0 && (
              <Button look="plain" size="small" onClick={() => void exportRows(file, listed)}>
                Export CSV
              </Button>
            )}
          </div>
        </div>
      )}
      {panel}
      <LoadStatus result={result} />
      {result?.ok && all.length === 0 && (
        <div className={styles.empty}>
          <p className={styles.title}>{empty.title}</p>
          {empty.text !== undefined && <p>{empty.text}</p>}
        </div>
      )}
      {all.length > 0 && listed.length === 0 && more.length === 0 && <p className={styles.none}>No results. {further?.otherwise}</p>}
      {listed.length > 0 && <RecordTable rows={listed} {...table} />}
      {more.length > 0 && <More title={moreTitle} rows={more} table={table} />}
      {bulk && selected.rows.length > 0 && (
        <SelectedBar count={selected.rows.length} noun={bulk.noun} nouns={bulk.nouns} clear={selected.clear}>
          {bulk.render(selected.rows, selected.clear)}
        </SelectedBar>
      )}
    </>
  );
}

interface MoreProps<Row> {
  title: string;
  rows: readonly Row[];
  table: Omit<RecordTableProps<Row>, "rows">;
}

function More<Row extends { id: string }>({ title, rows, table }: MoreProps<Row>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.more}>
      <h2 id={id}>{title}</h2>
      <RecordTable rows={rows} {...table} caption={`${table.caption}, ${title}`} />
    </section>
  );
}

const NOTHING: readonly never[] = [];

/** Lazy: few visits export a file. */
async function exportRows<Row>(
  { name, columns }: { name: string; columns: readonly CsvColumn<Row>[] },
  rows: readonly Row[],
): Promise<void> {
  const { exportCsv } = await import("./csv/csv-file.ts");
  exportCsv(name, columns, rows);
}

function inTotal(listed: readonly unknown[], all: number): string {
  return listed.length === all ? `${all} in all` : `${listed.length} of ${all}`;
}
