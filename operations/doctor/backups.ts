import { stat } from "node:fs/promises";
import { BackupError } from "backend/backup.ts";
import type { BackendEnvironment } from "server/environment/environment.ts";
import { filesIn, isBucket } from "../backup-locations.ts";
import { readBackupFolder } from "../environment.ts";
import { isNightlyBackup } from "../retention.ts";
import { fail, type Finding, pass, reasonOf, warn } from "./finding.ts";

const HOUR_MS = 3_600_000;
/** A day, and the time that a backup may take. */
const OLDEST_HOURS = 26;

/** Checks that there is a backup of the last night, on another disk, with a passphrase for the secrets. */
export async function checkBackups(env: BackendEnvironment): Promise<Finding[]> {
  const { BACKUP_PASSPHRASE: passphrase, DATA_DIR: dataDir } = env;
  const folder = readBackupFolder();
  if (folder === undefined) return [warn("No backup is set up: set BACKUP_DIR and BACKUP_PASSPHRASE.")];
  const found: Finding[] = [];
  if (passphrase === undefined) found.push(fail("BACKUP_PASSPHRASE is not set: no backup can be made."));
  try {
    const newest = (await filesIn(folder)).findLast(({ name }) => isNightlyBackup(name));
    if (newest === undefined) return [...found, fail(`There is no backup in ${folder} yet.`)];
    const hours = Math.floor((Date.now() - newest.modifiedAt.getTime()) / HOUR_MS);
    const name = newest.name;
    found.push(hours < OLDEST_HOURS ? pass(`The newest backup is ${name}.`) : fail(`The newest backup, ${name}, is ${hours} hours old.`));
    if (!isBucket(folder) && (await stat(folder)).dev === (await stat(dataDir)).dev)
      found.push(warn("The backups are on the disk of the data: use another disk (docs/operate.md, Make backups)."));
  } catch (error) {
    found.push(fail(`BACKUP_DIR cannot be read: ${error instanceof BackupError ? error.message : reasonOf(error)}.`));
  }
  return found;
}
