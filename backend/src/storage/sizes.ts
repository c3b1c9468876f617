import { StorageError } from "./errors.ts";

const DECIMAL: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
const SIZE = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i;

/** Parses the `file_size_limit` of a bucket: bytes, or text with a decimal unit such as `20mb`. Fails with a `StorageError`. */
export function parseSize(given: number | string): number {
  const [, amount, unit] = typeof given === "string" ? (SIZE.exec(given) ?? []) : ["", String(given), "b"];
  const bytes = Math.floor(Number(amount) * (DECIMAL[unit?.toLowerCase() ?? ""] ?? Number.NaN));
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new StorageError("InvalidRequest", 400, "InvalidRequest", "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B");
}
