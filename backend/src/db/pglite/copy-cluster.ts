import { constants } from "node:fs";
import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FULL_BYTES, freeBytes } from "../../disk-space.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError, type Row } from "../database.ts";

const LOG_DIRECTORY = "pg_wal";

/**
 * Copies the files of a running database to a new directory with PostgreSQL's low-level backup: statements go on meanwhile, and
 * the copy, when it is opened, has the state at the end. The caller must prevent checkpoints, which delete write-ahead log.
 */
export async function copyCluster(
  cluster: string,
  target: string,
  query: (text: string) => Promise<Row[]>,
  free: (directory: string) => number = freeBytes,
): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await checkSpace(cluster, free(target));
  await query("select pg_backup_start('copy', true)");
  let label: unknown;
  try {
    await copyFiles(cluster, target, (path) => !isTemporary(path));
  } finally {
    // The label is a file of the copy: Postgres recovers from the checkpoint that it names.
    [label] = (await query("select labelfile from pg_backup_stop(false)")).map(({ labelfile }) => labelfile);
  }
  await copyFiles(join(cluster, LOG_DIRECTORY), join(target, LOG_DIRECTORY), () => true);
  await writeFile(join(target, "backup_label"), String(label), { mode: 0o600 });
}

async function checkSpace(cluster: string, free: number): Promise<void> {
  let needed = FULL_BYTES;
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) needed += (await stat(join(entry.parentPath, entry.name)).catch(ignoreMissing))?.size ?? 0;
  }
  if (free >= needed) return;
  const [missing, all] = [needed - free, needed].map((bytes) => Math.ceil(bytes / 1_000_000));
  throw new DatabaseError(`A copy of the database needs ${all} MB of disk space, and ${missing} MB are missing.`, {
    code: SQLSTATE.diskFull,
  });
}

async function copyFiles(from: string, to: string, isWanted: (path: string) => boolean): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(from.length + 1);
    // Postgres needs its empty directories too.
    if (entry.isDirectory()) await mkdir(join(to, name), { recursive: true, mode: 0o700 });
    // A table may be dropped meanwhile: the write-ahead log then has its deletion.
    else if (isWanted(name)) await copyFile(path, join(to, name), constants.COPYFILE_FICLONE).catch(ignoreMissing);
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

/** True for a file that a start creates or that is copied later, as in pg_basebackup. */
function isTemporary(path: string): boolean {
  const [top = ""] = path.split("/");
  return ["postmaster.pid", "postmaster.opts", "pg_stat_tmp", LOG_DIRECTORY].includes(top) || path.includes("pgsql_tmp");
}
