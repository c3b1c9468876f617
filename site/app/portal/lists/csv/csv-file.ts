import { toLondonTime } from "../../../time/london-time.ts";
import type { Cell, CsvColumn } from "./csv.ts";

/** Writes rows as a CSV file (RFC 4180) in UTF-8 that spreadsheets open without running formulas. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  return `\uFEFF${lines.map((line) => `${line.map(cellText).join(",")}\r\n`).join("")}`;
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
