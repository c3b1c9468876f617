import type { OnProgress } from "backend/backup.ts";
import { StartError } from "server/start-error.ts";
import { createFolder, nightlyBackups, placeIn, removeBackup } from "../backup-places.ts";
import { readBackupFolder } from "../environment.ts";
import { expiredBackups, nameOfBackup } from "../retention.ts";
import { backup } from "./backup.ts";
import { rehearse, type Rehearsal } from "./rehearse.ts";

interface Options {
  day: string;
  /** False to leave the secrets out. */
  secrets: boolean;
  onProgress?: OnProgress | undefined;
}

/**
 * Makes the backup of a day in `BACKUP_DIR`, if it is missing, rehearses it, and only then removes the expired ones; safe to run twice.
 * Fails with a `StartError` or a `BackupError`.
 */
export async function nightly({ day, ...options }: Options): Promise<Rehearsal> {
  const folder = readBackupFolder();
  if (folder === undefined) throw new StartError("Set BACKUP_DIR to the folder of the nightly backups.");
  await createFolder(folder);
  const place = placeIn(folder, nameOfBackup(day));
  if (!(await nightlyBackups(folder)).some(({ name }) => name === nameOfBackup(day))) await backup(place, options);
  const checked = await rehearse(place, options.onProgress);
  const names = (await nightlyBackups(folder)).map(({ name }) => name);
  const expired = expiredBackups(names).map((name) => placeIn(folder, name));
  for (const one of expired) await removeBackup(one);
  return { rows: checked.rows, text: [checked.text, ...expired.map((one) => `${one}: removed`)].join("\n") };
}
