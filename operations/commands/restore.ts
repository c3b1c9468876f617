import { checkArchive, readSealedSecrets } from "backend/backup.ts";
import { StartError } from "server/start-error.ts";
import { withBackup } from "../backup-places.ts";
import { readPassphrase } from "../environment.ts";
import { count, summary } from "../summary.ts";
import { environmentOf, restoreTo, withoutPassword } from "../target.ts";

/** Restores a backup into a new place; returns what it contains. Fails with a `StartError` or a `BackupError`. */
export async function restore(place: string, options: { into: string; secrets: boolean }): Promise<string> {
  return withBackup(place, (file) => restoreFile(file, options));
}

async function restoreFile(file: string, { into, secrets }: { into: string; secrets: boolean }): Promise<string> {
  const env = environmentOf(into);
  const manifest = await checkArchive(file);
  const content = secrets && manifest.secrets ? await openSecrets(file) : null;
  await restoreTo({ file, manifest, env, secrets: content, withObjects: true });
  const tables = manifest.tables
    .filter(({ rows }) => rows > 0)
    .map(({ schema, name, rows }) => `  ${schema}.${name}: ${count(rows, "row")}`);
  const next = content ? "" : "\nThere are no secrets in it: put secrets.json there, or start once with START_FRESH=secrets.";
  return [...tables, `${withoutPassword(into)}: restored ${summary(manifest)}${next}`].join("\n");
}

async function openSecrets(file: string): Promise<Uint8Array> {
  const passphrase = readPassphrase();
  if (passphrase === undefined) {
    throw new StartError("Set BACKUP_PASSPHRASE, which decrypts the secrets, or leave them out with --without-secrets.");
  }
  return readSealedSecrets(file, passphrase);
}
