import { type Database, openDatabase } from "backend";
import {
  BackupError,
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
import { withBackup } from "../backup-locations.ts";
import { readPassphrase } from "../environment.ts";
import { countRows, summary } from "../summary.ts";
import { withTemporaryDirectory } from "../temporary-directory.ts";

/** The result of a check: the number of rows in the backup, and one line of text for the operator. */
export interface Rehearsal {
  rows: number;
  /** The number of uploaded files that the storage did not have. */
  missing: number;
  text: string;
}

interface Options {
  /** The night whose check the server has begun: its row must be in the backup. */
  begunNight?: string | undefined;
  onProgress?: OnProgress | undefined;
}

/**
 * Restores a backup into a temporary database, compares all rows, and tries a password hash, an uploaded file and, with their
 * passphrase, the secrets; returns the result. Fails with a `BackupError`.
 */
export async function rehearse(location: string, options: Options = {}): Promise<Rehearsal> {
  const manifest = await withBackup(location, (file) => check(file, options), options.onProgress);
  const isUntried = manifest.secrets && readPassphrase() === undefined;
  const hint = isUntried ? " The secrets were not tried, because BACKUP_PASSPHRASE is not set." : "";
  return {
    rows: countRows(manifest),
    missing: manifest.objects.missing.length,
    text: `${location}: checked, ${summary(manifest)}.${hint}`,
  };
}

async function check(file: string, { begunNight, onProgress }: Options): Promise<Manifest> {
  const manifest = await checkArchive(file, onProgress);
  const passphrase = readPassphrase();
  if (manifest.secrets && passphrase !== undefined) JSON.parse(Buffer.from(await readSealedSecrets(file, passphrase)).toString());
  await withTemporaryDirectory((directory) => restoreInto(directory, { file, manifest, onProgress }, begunNight));
  return manifest;
}

async function restoreInto(
  dataDir: string,
  backup: Pick<RestoreOptions, "file" | "manifest" | "onProgress">,
  begunNight: string | undefined,
): Promise<void> {
  const { SUPABASE_DIR: supabaseDir } = readEnvironment(backendEnvironment, process.env);
  const log = createLog("error");
  const database = await openDatabase({ dataDir, databaseUrl: undefined, supabaseDir, log });
  try {
    await restoreDatabase({
      ...{ ...backup, database, supabaseDir, log },
      async beforeCommit(joined) {
        await tryRestored(joined, backup.file, backup.manifest);
        if (begunNight !== undefined) await lookUp(joined, begunNight, backup.file);
      },
    });
  } finally {
    await database.close();
  }
}

/** Looks up the row that the server writes when it begins the check of a night. Fails with a `BackupError` if it is missing. */
async function lookUp(database: Database, night: string, file: string): Promise<void> {
  const rows = await database.transaction((tx) => tx.query("select from private.backup_checks where night = $1::text::date", [night]));
  if (rows.length === 0)
    throw new BackupError("outdated", `${file} has old data: the row that was written before the backup of ${night} is missing.`);
}
