import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataDirectoryError, lockDataDirectory } from "../db/pglite/data-directory.ts";
import { syncDirectory } from "../storage/bytes/durable-file.ts";
import { BackupError } from "./error.ts";

/** A new data directory that is filled under a temporary name. */
interface UnfinishedDirectory {
  path: string;
  /** Gives it its name, when all files in it are synced. */
  complete(): Promise<void>;
  /** Removes it unless it is complete. */
  abandon(): Promise<void>;
}

/**
 * Creates `<directory>.unfinished`, without the remains of a restore that was killed. Fails with a `BackupError` if the directory is not
 * empty or another process fills it.
 */
export async function openUnfinished(directory: string): Promise<UnfinishedDirectory> {
  if (existsSync(directory) && (await readdir(directory)).length > 0) {
    throw new BackupError("not_empty", `${directory} is not empty. Restore into a new directory, or move this one away first.`);
  }
  const path = `${directory}.unfinished`;
  let unlock = lock(path);
  for (const name of await readdir(path)) if (!LOCK_FILES.includes(name)) await rm(join(path, name), REMOVAL);
  let isComplete = false;
  return {
    path,
    async complete() {
      unlock();
      unlock = () => undefined;
      for (const name of LOCK_FILES) await rm(join(path, name), { force: true });
      await syncDirectory(path);
      await rename(path, directory);
      isComplete = true;
      await syncDirectory(dirname(directory));
    },
    async abandon() {
      unlock();
      if (!isComplete) await rm(path, { recursive: true, force: true });
    },
  };
}

// A process that creates a database outlives the one that was killed by a few seconds.
const REMOVAL = { recursive: true, force: true, maxRetries: 12, retryDelay: 200 };
const LOCK_FILES = ["process.lock", "process.json"];

function lock(path: string): () => void {
  try {
    return lockDataDirectory(path);
  } catch (error) {
    if (!(error instanceof DataDirectoryError) || error.code !== "data_directory_locked") throw error;
    throw new BackupError("in_use", `Another process restores into this directory: ${error.message}`, error);
  }
}
