import type { Manifest } from "backend/backup.ts";

/** The number of rows in a backup. */
export function countRows({ tables }: Manifest): number {
  return tables.reduce((sum, table) => sum + table.rows, 0);
}

/** The contents of a backup in one line. */
export function summary(manifest: Manifest): string {
  const { tables, objects, secrets } = manifest;
  const megabytes = (objects.bytes / 1_000_000).toFixed(1);
  const parts = [
    `${count(countRows(manifest), "row")} of ${count(tables.length, "table")}`,
    `${count(objects.count, "file")} (${megabytes} MB)`,
    secrets ? "with secrets" : "without secrets",
  ];
  const missing = objects.missing.length;
  if (missing > 0) parts.push(`but ${count(missing, "uploaded file")} ${missing === 1 ? "is" : "are"} missing from the storage`);
  return parts.join(", ");
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-GB")} ${noun}${number === 1 ? "" : "s"}`;
}
