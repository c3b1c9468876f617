import { type ByteStore, isKey } from "../storage/bytes/byte-store.ts";
import { damaged, readAll, readArchive } from "./archive-reader.ts";
import { OBJECTS, SECRETS } from "./backup.ts";
import { BackupError } from "./error.ts";
import { countStep } from "./progress.ts";
import type { RestoreOptions } from "./restore.ts";
import { unseal } from "./sealed-secrets.ts";

/** Stores the objects of a backup in a store that belongs to no database. Fails with a `BackupError`. */
export async function restoreObjects(
  { file, manifest, onProgress }: Pick<RestoreOptions, "file" | "manifest" | "onProgress">,
  bytes: ByteStore,
): Promise<void> {
  if ((await bytes.readDatabaseId()) !== null) {
    throw new BackupError("not_empty", "The storage of uploaded files belongs to a database already. Restore into a new one.");
  }
  const onFiles = countStep("files_restored", manifest.objects.count, onProgress);
  for await (const entry of readArchive(file)) {
    if (!entry.name.startsWith(OBJECTS)) continue;
    const key = entry.name.slice(OBJECTS.length);
    if (!isKey(key)) throw damaged(file, `${entry.name} names no uploaded file.`);
    await bytes.write(key, entry.bytes);
    onFiles(1);
  }
}

/** Decrypts the `secrets.json` of a backup. Fails with a `BackupError`. */
export async function readSealedSecrets(file: string, passphrase: string): Promise<Uint8Array> {
  for await (const entry of readArchive(file)) if (entry.name === SECRETS) return unseal(await readAll(entry.bytes), passphrase);
  throw damaged(file, "it has no secrets.");
}
