import { toLondonTime } from "../../time/london-time.ts";
import type { Fields } from "../forms/fields.ts";

/** One column of a CSV file. */
export interface CsvColumn<Row> {
  heading: string;
  cell: (row: Row) => Cell;
}

type Cell = string | number | null;

/** Writes rows as a CSV file (RFC 4180) in UTF-8 that spreadsheets open without running formulas. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  return `\uFEFF${lines.map((line) => `${line.map(cellText).join(",")}\r\n`).join("")}`;
}

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

/** Downloads rows as a CSV file named after the list and today's date. */
export function exportCsv<Row>(name: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  downloadCsv(`${name}-${toLondonTime(new Date()).slice(0, 10)}`, csvOf(columns, rows));
}

/** Downloads a text as a CSV file. */
export function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

/** Quotes every text, also against spreadsheets that split at semicolons; an apostrophe stops the evaluation of formulas. */
function cellText(cell: Cell): string {
  if (typeof cell !== "string") return String(cell ?? "");
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}
