import { rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HOUR_MS, type Job } from "../jobs.ts";
import type { Database } from "./database.ts";
import { syncToDisk, syncTree } from "./pglite/data-directory.ts";

/** Long enough to notice that a new version does not work; later the copy has data that should be erased. */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** Copies the embedded database to `<directory>/database`, in place of an earlier copy. The copy is complete or absent. */
export async function keepCopy(copyTo: NonNullable<Database["copyTo"]>, directory: string): Promise<void> {
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await copyTo(join(unfinished, "database"));
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
