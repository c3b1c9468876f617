import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "server/start-error.ts";
import { readBackupFolder } from "../environment.ts";
import { expiredBackups, nameOfBackup } from "../retention.ts";
import { backup } from "./backup.ts";
import { rehearse, type Rehearsal } from "./rehearse.ts";

/**
 * Makes the backup of a day in `BACKUP_DIR`, if it is missing, rehearses it, and only then removes the expired ones; safe to run twice.
 * Fails with a `StartError` or a `BackupError`.
 */
export async function nightly({ day, ...options }: { day: string; secrets: boolean }): Promise<Rehearsal> {
  const folder = readBackupFolder();
  if (folder === undefined) throw new StartError("Set BACKUP_DIR to the folder of the nightly backups.");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, nameOfBackup(day));
  if (!existsSync(file)) await backup(file, options);
  const checked = await rehearse(file);
  const expired = expiredBackups(await readdir(folder));
  for (const name of expired) await rm(join(folder, name));
  return { rows: checked.rows, text: [checked.text, ...expired.map((name) => `${join(folder, name)}: removed`)].join("\n") };
}
