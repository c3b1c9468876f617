import { randomFillSync } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FULL_BYTES, freeBytes } from "../../disk-space.ts";
import type { Job } from "../../jobs.ts";

const MB = 1024 * 1024;
/** The size of the reserve file: one segment of write-ahead log for the recovery after a crash, and two for sign-ins. */
const RESERVE_BYTES = 48 * MB;
/** Below this, Postgres may fail to add a segment of write-ahead log (16 MB), which ends it. */
const NEEDED_BYTES = 20 * MB;

/** Protects the embedded database from a full disk, on which Postgres ends and cannot open its files again (decision 034). */
export interface DiskReserve {
  /** Returns true if a transaction may write now; one that may use the reserve can write for longer. */
  mayWrite(useReserve: boolean): boolean;
  /** Gives the reserve to the disk if the space that Postgres needs to open its files is missing. */
  makeRoom(): void;
  /** Creates the reserve while there is space. */
  job: Job;
}

/** Makes the reserve of a data directory: a file that is deleted when the disk is full. `free` replaces the system's figure in tests. */
export function createDiskReserve(dataDir: string, free: (directory: string) => number = freeBytes): DiskReserve {
  const file = join(dataDir, "reserve");
  let isReleased = false;

  function makeRoom(): void {
    if (free(dataDir) >= NEEDED_BYTES) return;
    rmSync(file, { force: true });
    isReleased = true;
  }

  async function fill(): Promise<void> {
    if (existsSync(file) || free(dataDir) < FULL_BYTES + RESERVE_BYTES) return;
    const unfinished = `${file}-unfinished`;
    try {
      const handle = await open(unfinished, "w", 0o600);
      try {
        // Random bytes, because some file systems do not store zeros.
        const block = randomFillSync(Buffer.alloc(MB));
        for (let written = 0; written < RESERVE_BYTES; written += MB) await handle.writeFile(block);
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** Fills the reserve as soon as there is space again; the job repeats it if it fails. */
  function refill(): void {
    isReleased = false;
    fill().catch(() => (isReleased = true));
  }

  return {
    mayWrite(useReserve) {
      const left = free(dataDir);
      if (isReleased && left >= FULL_BYTES + RESERVE_BYTES) refill();
      if (left >= FULL_BYTES) return true;
      if (!useReserve) return false;
      if (left >= NEEDED_BYTES) return true;
      makeRoom();
      return free(dataDir) >= NEEDED_BYTES;
    },
    makeRoom,
    job: { name: "disk-reserve", firstRunMs: 1000, intervalMs: 60_000, everyProcess: true, run: fill },
  };
}
