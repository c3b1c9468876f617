import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { unpackEmptyCluster } from "./empty-cluster.ts";

type DataDirectoryFailure = "data_directory_locked" | "data_directory_unwritable" | "data_directory_version";

/** A data directory that cannot be used; branch on `code`, the message is for the operator. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
  readonly code: DataDirectoryFailure;

  constructor(code: DataDirectoryFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The major version of the embedded Postgres, which determines the format of its files. */
export const POSTGRES_MAJOR = "18";

const SQLITE_BUSY = 5;
const UNFINISHED = "unfinished-";

/**
 * Locks a data directory for this process, creating it with mode 0700; the returned function unlocks it.
 * Fails with a `DataDirectoryError` if another process holds it or it cannot be written.
 */
export function lockDataDirectory(dataDir: string): () => void {
  // The kernel's lock, which Node offers only through SQLite, decides: it ends with its process in every case
  // and works across containers that share a volume, where process ids are not comparable. The file beside it names the holder.
  const holderFile = join(dataDir, "process.json");
  const lock = attempt(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new DatabaseSync(join(dataDir, "process.lock"), { timeout: 0 });
  });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw unwritable(dataDir, error);
    throw new DataDirectoryError("data_directory_locked", `${dataDir} is in use by ${readHolder(holderFile)}.`, error);
  }
  attempt(dataDir, () => writeFileSync(holderFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() })));
  return () => {
    rmSync(holderFile, { force: true });
    lock.close();
  };
}

/** The directory of the Postgres files in a data directory. */
export function clusterOf(dataDir: string): string {
  return join(dataDir, "cluster");
}

/**
 * Returns the directory of the Postgres files in a data directory that this process holds; creates an empty database if there
 * are none, in another place and moved when complete, so a killed process leaves nothing incomplete.
 */
export async function prepareCluster(dataDir: string): Promise<string> {
  const cluster = clusterOf(dataDir);
  if (existsSync(cluster)) {
    checkVersion(cluster);
    return cluster;
  }
  const unfinished = attempt(dataDir, () => {
    for (const name of readdirSync(dataDir)) if (name.startsWith(UNFINISHED)) rmSync(join(dataDir, name), { recursive: true, force: true });
    return mkdtempSync(join(dataDir, UNFINISHED));
  });
  await unpackEmptyCluster(unfinished).catch((error: unknown) => {
    throw unwritable(dataDir, error);
  });
  attempt(dataDir, () => {
    syncTree(unfinished);
    renameSync(unfinished, cluster);
    syncToDisk(dataDir, true);
  });
  return cluster;
}

function checkVersion(cluster: string): void {
  const file = join(cluster, "PG_VERSION");
  const version = attempt(cluster, () => readFileSync(file, "utf8").trim());
  if (version === POSTGRES_MAJOR) return;
  const message =
    `${cluster} was made by PostgreSQL ${version}; this version of the product runs PostgreSQL ${POSTGRES_MAJOR}. ` +
    "Back it up with the version of the product that made it, and restore that backup with this one.";
  throw new DataDirectoryError("data_directory_version", message);
}

/** Syncs all files and directories in a directory, and the directory. */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    syncToDisk(join(entry.parentPath, entry.name), entry.isDirectory());
  }
  syncToDisk(directory, true);
}

/** Syncs a file or a directory. */
export function syncToDisk(path: string, isDirectory: boolean): void {
  // Windows can sync only writable files, and no directories.
  if (isDirectory && process.platform === "win32") return;
  const descriptor = openSync(path, isDirectory ? "r" : "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): DataDirectoryError {
  const reason = cause instanceof Error ? cause.message : "unknown reason";
  return new DataDirectoryError("data_directory_unwritable", `${path} cannot be used as the data directory: ${reason}`, cause);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function readHolder(file: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof holder === "object" && holder !== null && "pid" in holder && "since" in holder) {
      return `process ${String(holder.pid)} since ${String(holder.since)}`;
    }
  } catch {
    // The holder has the lock but may not have written its name yet.
  }
  return "another process";
}
