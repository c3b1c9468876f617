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
  /** How many there are, in words; absent until that is known. */
  total: string | undefined;
  /** Hands over what is listed as a file; null where nothing is listed, absent where the list has no file. */
  exportCsv: (() => void) | null | undefined;
}

/** What stands above a list: the search, the choices, how many are listed, and the file of them. */
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
      <div className={styles.summary}>
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
