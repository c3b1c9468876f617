import { RestError, tooLarge } from "../errors.ts";

const MAX_COLUMNS = 1000;
const MAX_CELLS = 100_000;

/**
 * Parses a CSV body (RFC 4180) with a header line into objects. Fails with PGRST102, or with 413 for too many columns or cells.
 * An unquoted `NULL` is null and a quoted one is text, as in PostgREST; papaparse does not tell them apart.
 */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...rows] = readRows(text);
  if (!header) throw invalid("Empty or invalid csv");
  return rows.map((row) => {
    if (row.length !== header.length) throw invalid("All lines must have same number of fields");
    return Object.fromEntries(header.map((name, index) => [name ?? "", row[index] ?? null]));
  });
}

interface FieldRead {
  value: string | null;
  /** The position of the next separator, or the end of the text. */
  next: number;
}

function readRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let cells = 0;
  let at = 0;
  while (at < text.length) {
    const { value, next } = text[at] === '"' ? readQuoted(text, at + 1) : readBare(text, at);
    row.push(value);
    cells += 1;
    if (row.length > MAX_COLUMNS || cells > MAX_CELLS)
      throw tooLarge(`A CSV body has at most ${MAX_COLUMNS} columns and ${MAX_CELLS} cells`);
    const isLast = text[next] !== ",";
    at = next + (text.startsWith("\r\n", next) ? 2 : 1);
    if (!isLast && at >= text.length) row.push("");
    if (!isLast && at < text.length) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

// Uses indexOf, because a regular expression over a field of megabytes exhausts the stack.
function readQuoted(text: string, start: number): FieldRead {
  let end = text.indexOf('"', start);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  const next = end + 1;
  const isClosed = end !== -1 && (next >= text.length || text[next] === "," || text[next] === "\n" || text.startsWith("\r\n", next));
  if (!isClosed) throw invalid("Empty or invalid csv");
  return { value: text.slice(start, end).replaceAll('""', '"'), next };
}

const BARE_END = /[",\n]|\r\n|$/g;

function readBare(text: string, start: number): FieldRead {
  BARE_END.lastIndex = start;
  const next = BARE_END.exec(text)?.index ?? text.length;
  if (text[next] === '"') throw invalid("Empty or invalid csv");
  const value = text.slice(start, next);
  return { value: value === "NULL" ? null : value, next };
}

function invalid(message: string): RestError {
  return new RestError(400, "PGRST102", message);
}
