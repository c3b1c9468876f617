import { toLondonTime } from "../../../time/london-time.ts";
import type { Fields } from "../../forms/fields.ts";

/** One column of a CSV file. */
export interface CsvColumn<Row> {
  heading: string;
  cell: (row: Row) => Cell;
}

export type Cell = string | number | null;

/** The columns of the fields of a record, with labels instead of stored codes. */
export function csvColumns<Values extends object>(fields: Fields<Values>): CsvColumn<Values>[] {
  const columns: CsvColumn<Values>[] = [];
  for (const name in fields) {
    columns.push({
      heading: fields[name].label,
      cell(row) {
        const value = row[name];
        if (value === null) return null;
        return typeof value === "number" ? value : fields[name].show(value);
      },
    });
  }
  return columns;
}

/** The London date and time of an instant, each in a column of its own, in the form that every spreadsheet reads. */
export function instantColumns<Row>(heading: string, instant: (row: Row) => string | null): CsvColumn<Row>[] {
  const part = (row: Row, from: number, to: number): string | null => {
    const iso = instant(row);
    return iso === null ? null : toLondonTime(new Date(iso)).slice(from, to);
  };
  return [
    { heading, cell: (row) => part(row, 0, 10) },
    { heading: `${heading}, time`, cell: (row) => part(row, 11, 16) },
  ];
}
