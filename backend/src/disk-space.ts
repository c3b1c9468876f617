import { statfsSync } from "node:fs";

const MB = 1024 * 1024;

/** The free space of a disk: `low` is reported to staff, and on a `full` disk only essential data are written. */
export type DiskSpace = "ok" | "low" | "full";

const LOW_BYTES = 1024 * MB;
export const FULL_BYTES = 64 * MB;

/** Returns the bytes that this process may still write to the disk of a directory; Infinity if the system does not report it. */
export function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Returns the state of the disk of a directory. */
export function diskSpace(directory: string): DiskSpace {
  const free = freeBytes(directory);
  if (free < FULL_BYTES) return "full";
  return free < LOW_BYTES ? "low" : "ok";
}
