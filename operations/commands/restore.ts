import type { Transaction } from "backend";
import { checkArchive, type OnProgress, readSealedSecrets } from "backend/backup.ts";
import { StartError } from "server/start-error.ts";
import { withBackup } from "../backup-locations.ts";
import { readPassphrase } from "../environment.ts";
import { count, summary } from "../summary.ts";
import { environmentOf, fillDatabase, restoreTo, withoutPassword } from "../target.ts";

interface Options {
  into: string;
  /** False to leave the secrets out. */
  secrets: boolean;
  /** True to fill only the database of a server. */
  databaseOnly?: boolean;
  onProgress?: OnProgress | undefined;
}

/** Restores a backup into a new location; returns what it contains. Fails with a `StartError` or a `BackupError`. */
export async function restore(location: string, options: Options): Promise<string> {
  return withBackup(location, (file) => restoreFile(file, options), options.onProgress);
}

async function restoreFile(file: string, { into, secrets, databaseOnly = false, onProgress }: Options): Promise<string> {
  const env = environmentOf(into);
  if (databaseOnly && env.DATABASE_URL === undefined) throw new StartError("--database-only needs the postgres:// address of a database.");
  const manifest = await checkArchive(file, onProgress);
  const content = secrets && manifest.secrets && !databaseOnly ? await openSecrets(file) : null;
  const options = { file, manifest, env, adapt: settleLetters, onProgress };
  if (databaseOnly) await fillDatabase(options);
  else await restoreTo({ ...options, secrets: content, withObjects: true });
  const tables = manifest.tables
    .filter(({ rows }) => rows > 0)
    .map(({ schema, name, rows }) => `  ${schema}.${name}: ${count(rows, "row")}`);
  const next =
    content || databaseOnly ? "" : "\nThere are no secrets in it: put secrets.json there, or start once with START_FRESH=secrets.";
  return [...tables, `${withoutPassword(into)}: restored ${summary(manifest)}${next}`].join("\n");
}

/** Stops the letters that may have been sent after the backup was made; a project may have none. */
async function settleLetters(tx: Transaction): Promise<void> {
  await tx.script(`do $$ begin
    if to_regproc('private.settle_restored_letters') is not null then perform private.settle_restored_letters(); end if;
  end $$`);
}

async function openSecrets(file: string): Promise<Uint8Array> {
  const passphrase = readPassphrase();
  if (passphrase === undefined) {
    throw new StartError("Set BACKUP_PASSPHRASE, which decrypts the secrets, or leave them out with --without-secrets.");
  }
  return readSealedSecrets(file, passphrase);
}
