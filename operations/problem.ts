import { DatabaseError } from "backend";
import { BackupError } from "backend/backup.ts";

/** The codes of a full disk: of the system and of PostgreSQL. */
const DISK_FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);
const FOLDER = new Set(["EACCES", "EROFS", "EPERM", "ENOTDIR", "ENOENT", "EEXIST"]);

/** The slug of a failed backup, which `backupProblem` explains. */
export function problemOf(error: unknown): string {
  if (error instanceof BackupError) return error.code;
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return "unknown";
  if (DISK_FULL.has(error.code)) return "disk_full";
  if (error instanceof DatabaseError) return "database";
  return FOLDER.has(error.code) ? "folder" : "unknown";
}
