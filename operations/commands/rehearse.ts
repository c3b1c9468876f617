import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "backend";
import {
  checkArchive,
  type Manifest,
  type OnProgress,
  readSealedSecrets,
  restoreDatabase,
  type RestoreOptions,
  tryRestored,
} from "backend/backup.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { createLog } from "server/log.ts";
import { withBackup } from "../backup-places.ts";
import { readPassphrase } from "../environment.ts";
import { countRows, summary } from "../summary.ts";

/** The number of rows in a backup that was checked, and the line that says so. */
export interface Rehearsal {
  rows: number;
  text: string;
}

/**
 * Restores a backup into a temporary database, compares all rows, and tries a password hash, an uploaded file and, with their
 * passphrase, the secrets; returns the result. Fails with a `BackupError`.
 */
export async function rehearse(place: string, onProgress?: OnProgress): Promise<Rehearsal> {
  const manifest = await withBackup(place, (file) => check(file, onProgress), onProgress);
  const isUntried = manifest.secrets && readPassphrase() === undefined;
  const hint = isUntried ? " The secrets were not tried, because BACKUP_PASSPHRASE is not set." : "";
  return { rows: countRows(manifest), text: `${place}: checked, ${summary(manifest)}.${hint}` };
}

async function check(file: string, onProgress: OnProgress | undefined): Promise<Manifest> {
  const manifest = await checkArchive(file, onProgress);
  const passphrase = readPassphrase();
  if (manifest.secrets && passphrase !== undefined) JSON.parse(Buffer.from(await readSealedSecrets(file, passphrase)).toString());
  const directory = await mkdtemp(join(tmpdir(), "larkfell-rehearsal-"));
  try {
    await restoreInto(directory, { file, manifest, onProgress });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return manifest;
}

async function restoreInto(dataDir: string, backup: Pick<RestoreOptions, "file" | "manifest" | "onProgress">): Promise<void> {
  const { SUPABASE_DIR: supabaseDir } = readEnvironment(backendEnvironment, process.env);
  const log = createLog("error");
  const database = await openDatabase({ dataDir, databaseUrl: undefined, supabaseDir, log });
  try {
    await restoreDatabase({
      ...{ ...backup, database, supabaseDir, log },
      beforeCommit: (joined) => tryRestored(joined, backup.file, backup.manifest),
    });
  } finally {
    await database.close();
  }
}
