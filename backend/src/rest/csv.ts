import { RestError } from "./errors.ts";

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Reads a CSV body (RFC 4180) with a header line into objects; an unquoted `NULL` is null. Fails with PGRST102. */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...rows] = readRows(text);
  if (!header) throw new RestError(400, "PGRST102", "Empty or invalid csv");
  return rows.map((row) => {
    if (row.length !== header.length) throw new RestError(400, "PGRST102", "All lines must have same number of fields");
    return Object.fromEntries(header.map((name, index) => [name ?? "", row[index] ?? null]));
  });
}

function readRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let position = 0;
  while (position < text.length) {
    FIELD.lastIndex = position;
    const found = FIELD.exec(text);
    if (!found) throw new RestError(400, "PGRST102", "Empty or invalid csv");
    const [whole, quoted, bare = "", separator] = found;
    position += whole.length;
    row.push(quoted === undefined ? (bare === "NULL" ? null : bare) : quoted.replaceAll('""', '"'));
    if (separator === "," && position === text.length) row.push("");
    if (separator === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return rows;
}
