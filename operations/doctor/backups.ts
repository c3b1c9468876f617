import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BackendEnvironment } from "server/environment/environment.ts";
import { isNightlyBackup } from "../retention.ts";
import { fail, type Finding, pass, reasonOf, warn } from "./finding.ts";

const HOUR_MS = 3_600_000;
/** A day, and the time that a backup may take. */
const OLDEST_HOURS = 26;

/** Checks that there is a backup of the last night, on another disk, with a passphrase for the secrets. */
export async function checkBackups(env: BackendEnvironment): Promise<Finding[]> {
  const { BACKUP_DIR: folder, BACKUP_PASSPHRASE: passphrase, DATA_DIR: dataDir } = env;
  if (folder === undefined) return [warn("No backup is set up: set BACKUP_DIR and BACKUP_PASSPHRASE.")];
  const found: Finding[] = [];
  if (passphrase === undefined) found.push(fail("BACKUP_PASSPHRASE is not set: no backup can be made."));
  try {
    const name = (await readdir(folder)).filter(isNightlyBackup).toSorted().at(-1);
    if (name === undefined) return [...found, fail(`There is no backup in ${folder} yet.`)];
    const { mtimeMs, dev } = await stat(join(folder, name));
    const hours = Math.floor((Date.now() - mtimeMs) / HOUR_MS);
    found.push(hours < OLDEST_HOURS ? pass(`The newest backup is ${name}.`) : fail(`The newest backup, ${name}, is ${hours} hours old.`));
    if (dev === (await stat(dataDir)).dev) found.push(warn("The backups are on the disk of the data: set BACKUP_DIR to another disk."));
  } catch (error) {
    found.push(fail(`BACKUP_DIR cannot be read: ${reasonOf(error)}.`));
  }
  return found;
}
