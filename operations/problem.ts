import { DatabaseError } from "backend";
import { BackupError, ByteStoreError } from "backend/backup.ts";
import * as SQLSTATE from "backend/sqlstates.ts";
import { startFailure } from "server/process.ts";

/** The codes of a full disk: of the system and of PostgreSQL. */
const DISK_FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", SQLSTATE.diskFull]);
const FOLDER = new Set(["EACCES", "EROFS", "EPERM", "ENOTDIR", "ENOENT", "EEXIST"]);

/** The slug of a failed backup, which `backupProblem` explains. */
export function problemOf(error: unknown): string {
  if (error instanceof BackupError) return error.code;
  if (error instanceof ByteStoreError) return error.code === "full" ? "disk_full" : "storage";
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return "unknown";
  if (DISK_FULL.has(error.code)) return "disk_full";
  if (error instanceof DatabaseError) return "database";
  return FOLDER.has(error.code) ? "folder" : "unknown";
}

/** The reason for a failed command, in one line for an operator; a stack trace if the reason is unknown. */
export function commandFailure(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  if (error instanceof ByteStoreError) return `The storage of uploaded files cannot be used: ${error.message} (${String(error.cause)})`;
  // Node names the path in its message.
  if (error instanceof Error && "path" in error && "syscall" in error) return `A file or folder cannot be used: ${error.message}`;
  return startFailure(error);
}
