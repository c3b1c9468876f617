import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * The folder for databases and other data of tests. On Linux it is in memory where there is space, because copying a data directory
 * or a database on a disk takes several times the CPU time. Programs may not be allowed to run there.
 */
export const TEMPORARY_FILES = hasSpace(MEMORY) ? MEMORY : tmpdir();

function hasSpace(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false; // another platform
  }
}
