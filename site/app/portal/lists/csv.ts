/** One column of a file: its heading, and what stands in it. */
export interface CsvColumn<Row> {
  heading: string;
  cell: (row: Row) => Cell;
}

type Cell = string | number | null;

/** Rows as a CSV file (RFC 4180) that spreadsheets open as UTF-8 and take no formula from. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ heading }) => heading), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  return `\uFEFF${lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("")}`;
}

/** Hands rows to the browser as a CSV file, under a name and today's date. */
export function exportCsv<Row>(name: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  downloadCsv(`${name}-${new Date().toISOString().slice(0, 10)}`, csvOf(columns, rows));
}

/** Hands a CSV file to the browser under a name. */
export function downloadCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

/** A text that a spreadsheet would calculate gets an apostrophe in front, a plus before a phone number included. */
function quoted(cell: Cell): string {
  const text = cell === null ? "" : String(cell);
  const safe = typeof cell === "string" && /^[\s]*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
