import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BackupError, type BackupOptions, type Manifest, makeBackup, type OnProgress, openByteStore } from "backend/backup.ts";
import type { BackendEnvironment } from "server/environment/environment.ts";
import { storageOptions } from "server/environment/storage.ts";
import { createLog } from "server/log.ts";
import { withNewBackup } from "../backup-locations.ts";
import { readPassphrase } from "../environment.ts";
import { PROGRAM } from "../program.ts";
import { localEnvironment, openSource } from "../source.ts";
import { summary } from "../summary.ts";

interface Options {
  /** False to leave the secrets out. */
  secrets: boolean;
  onProgress?: OnProgress | undefined;
}

/** Writes a backup of the installation, while its server runs or not; returns what it contains. Fails with a `StartError` or a `BackupError`. */
export async function backup(location: string, { secrets: withSecrets, onProgress }: Options): Promise<string> {
  const env = localEnvironment();
  const secrets = withSecrets ? await readSealable(env) : null;
  const manifest = await withNewBackup(location, (file) => write({ file, secrets, onProgress }, env), onProgress);
  return `${location}: ${summary(manifest)}`;
}

async function write(options: Pick<BackupOptions, "file" | "secrets" | "onProgress">, env: BackendEnvironment): Promise<Manifest> {
  const source = await openSource(env, createLog("error"));
  const bytes = await openByteStore(storageOptions(env));
  try {
    return await makeBackup({ ...options, database: source.database, bytes, program: PROGRAM });
  } finally {
    await source.close();
    await bytes.close();
  }
}

async function readSealable({ DATA_DIR }: BackendEnvironment): Promise<{ bytes: Uint8Array; passphrase: string }> {
  const passphrase = readPassphrase();
  if (passphrase === undefined) {
    throw new BackupError("passphrase", "Set BACKUP_PASSPHRASE, which encrypts the secrets, or leave them out with --without-secrets.");
  }
  return { bytes: await readFile(join(DATA_DIR, "secrets.json")), passphrase };
}
