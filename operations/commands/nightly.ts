import { BackupError, type OnProgress } from "backend/backup.ts";
import { StartError } from "server/start-error.ts";
import { createFolder, filesIn, locationIn, removeBackup, renameBackup } from "../backup-locations.ts";
import { readBackupFolder } from "../environment.ts";
import { expiredBackups, nameOfBackup, failedLocation } from "../retention.ts";
import { backup } from "./backup.ts";
import { rehearse, type Rehearsal } from "./rehearse.ts";

interface Options {
  day: string;
  /** True if the server has begun the check of this night, whose row must then be in the backup. */
  begun?: boolean;
  /** False to leave the secrets out. */
  secrets: boolean;
  onProgress?: OnProgress | undefined;
}

/**
 * Makes the backup of a day in `BACKUP_DIR`, if it is missing or was made before the night began, rehearses it, and only then removes the
 * expired ones; safe to run twice. One that fails its check gets another name. Fails with a `StartError` or a `BackupError`.
 */
export async function nightly(options: Options): Promise<Rehearsal> {
  const folder = readBackupFolder();
  if (folder === undefined) throw new StartError("Set BACKUP_DIR to the folder of the nightly backups.");
  await createFolder(folder);
  const newest = nameOfBackup(options.day);
  const exists = (await filesIn(folder)).some(({ name }) => name === newest);
  const checked = await (exists ? checkOrRemake : makeAndCheck)(locationIn(folder, newest), options);
  const names = (await filesIn(folder)).map(({ name }) => name);
  const expired = expiredBackups(names).map((name) => locationIn(folder, name));
  for (const one of expired) await removeBackup(one);
  return { ...checked, text: [checked.text, ...expired.map((one) => `${one}: removed`)].join("\n") };
}

async function makeAndCheck(location: string, options: Options): Promise<Rehearsal> {
  await backup(location, options);
  return check(location, options);
}

async function checkOrRemake(location: string, options: Options): Promise<Rehearsal> {
  return check(location, options).catch(async (error: unknown) => {
    if (!(error instanceof BackupError) || error.code !== "outdated") throw error;
    return makeAndCheck(location, options);
  });
}

async function check(location: string, { day, begun, onProgress }: Options): Promise<Rehearsal> {
  try {
    const checked = await rehearse(location, { begunNight: begun ? day : undefined, onProgress });
    // The older backups may still have them.
    if (checked.missing > 0) throw new BackupError("files_missing", checked.text);
    return checked;
  } catch (error) {
    await renameBackup(location, failedLocation(location));
    throw error;
  }
}
