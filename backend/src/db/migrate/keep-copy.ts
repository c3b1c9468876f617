import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { HOUR_MS, type Job } from "../../jobs.ts";
import { syncToDisk, syncTree } from "../pglite/data-directory.ts";

/** Long enough to notice that a new version does not work; later the copy has data that should be erased. */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** The copy of a database before its upgrade. */
export interface UpgradeCopy {
  directory: string;
  /** Writes the copy into a new directory. */
  write: (target: string) => Promise<void>;
}

/** Writes a copy of the database, in place of an earlier one. The copy is complete or absent. */
export async function keepCopy({ directory, write }: UpgradeCopy): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await write(unfinished);
    syncTree(unfinished);
    await rm(directory, { recursive: true, force: true });
    await rename(unfinished, directory);
    syncToDisk(dirname(directory), true);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the copy a week after the upgrade. */
export function removeCopyJob(directory: string): Job {
  async function run(): Promise<void> {
    const made = await stat(directory).catch(() => null);
    if (made && made.mtimeMs < Date.now() - KEPT_MS) await rm(directory, { recursive: true, force: true });
  }
  return { name: "upgrade-copy", intervalMs: HOUR_MS, everyProcess: true, run };
}
