import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Transaction } from "../db/database.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import type { ManifestTable } from "./manifest.ts";
import { readRows, type Table } from "./tables.ts";

const compress = promisify(gzip);
/** The rows of one entry, without compression; this many bytes are in memory. */
const ENTRY_BYTES = 1024 * 1024;

/** Writes the rows of a table as compressed entries `tables/<schema>.<name>/<number>.ndjson.gz`. */
export async function writeTable(
  tx: Transaction,
  table: Table,
  archive: ArchiveWriter,
  onRows: (rows: number) => void,
): Promise<ManifestTable> {
  let lines: string[] = [];
  let length = 0;
  let entries = 0;

  async function flush(): Promise<void> {
    entries += 1;
    const name = `${tableFolder(table)}${String(entries).padStart(6, "0")}.ndjson.gz`;
    await archive.add(name, await compress(lines.join(""), { level: 6 }));
    lines = [];
    length = 0;
  }

  const counted = await countRows(tx, table, onRows, async (line) => {
    lines.push(line);
    length += line.length;
    if (length >= ENTRY_BYTES) await flush();
  });
  if (lines.length > 0) await flush();
  return counted;
}

/** Reads a table and returns its number of rows and their sum; calls `onRows` with the rows that it has read. */
export async function countRows(
  tx: Transaction,
  table: Table,
  onRows: (rows: number) => void,
  onLine: (line: string) => Promise<void> = () => Promise.resolve(),
): Promise<ManifestTable> {
  const { schema, name, columns } = table;
  const hash = createHash("sha256");
  let rows = 0;
  for await (const batch of readRows(tx, table)) {
    for (const row of batch) {
      const line = `${row}\n`;
      hash.update(line);
      rows += 1;
      await onLine(line);
    }
    onRows(batch.length);
  }
  return { schema, name, columns, rows, sha256: hash.digest("hex") };
}

/** The folder of a table in a backup. */
export function tableFolder({ schema, name }: Pick<Table, "schema" | "name">): string {
  return `tables/${encodeURIComponent(schema)}.${encodeURIComponent(name)}/`;
}
