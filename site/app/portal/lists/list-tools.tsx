import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { ListFilter, Narrowed } from "./list-filter.ts";
import styles from "./list-tools.module.css";
import { Options } from "../forms/options.tsx";

interface ListToolsProps<Row> {
  filter: ListFilter<Row>;
  narrowed: Narrowed;
  change: (narrowed: Narrowed) => void;
  /** The number of rows in words; undefined until it is known. */
  total: string | undefined;
  /** Exports the listed rows; null if there are none, undefined if the list has no file. */
  exportCsv: (() => void) | null | undefined;
}

/** The search, the filters, the number of rows and the export of a list. */
export function ListTools<Row>({ filter, narrowed, change, total, exportCsv }: ListToolsProps<Row>): ReactNode {
  const value = (name: string): string => narrowed[name] ?? "";
  const set = (name: string, to: string): void => change({ ...narrowed, [name]: to });
  return (
    <>
      <search className={styles.filter}>
        <TextField
          id="words"
          type="search"
          standalone
          label="Search"
          hint={filter.hint}
          value={value("words")}
          onChange={(event) => set("words", event.currentTarget.value)}
        />
        {filter.choices?.map(({ name, label, labels }) => (
          <SelectField
            key={name}
            id={`show-${name}`}
            label={label}
            standalone
            value={value(name)}
            onChange={(event) => set(name, event.currentTarget.value)}
          >
            <option value="">All</option>
            <Options labels={labels} />
          </SelectField>
        ))}
      </search>
      <div className={`row ${styles.summary}`}>
        <p role="status">{total}</p>
        {exportCsv !== undefined && (
          <Button look="plain" size="small" disabled={exportCsv === null} onClick={() => exportCsv?.()}>
            Export CSV
          </Button>
        )}
      </div>
    </>
  );
}
