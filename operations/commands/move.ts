import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkArchive, makeBackup, type OnProgress, openByteStore } from "backend/backup.ts";
import type { BackendEnvironment } from "server/environment/environment.ts";
import { storageOptions } from "server/environment/storage.ts";
import { createLog } from "server/log.ts";
import { PROGRAM } from "../program.ts";
import { localEnvironment, openStopped } from "../source.ts";
import { summary } from "../summary.ts";
import { environmentOf, fillDatabase, restoreTo, withoutPassword } from "../target.ts";

/**
 * Moves an installation whose server is stopped to another database; the old one stays. Into a database of a server, secrets and
 * uploaded files stay in `DATA_DIR`; into a directory, all is copied. Fails with a `StartError` or a `BackupError`.
 */
export async function move({ into, onProgress }: { into: string; onProgress?: OnProgress | undefined }): Promise<string> {
  const env = localEnvironment();
  const target = environmentOf(into);
  const isServer = target.DATABASE_URL !== undefined;
  const withObjects = !isServer && env.S3_BUCKET === undefined;
  // Beside DATA_DIR nothing can be written if it is a volume.
  const file = isServer ? join(env.DATA_DIR, "moving.tar") : `${resolve(into)}.moving`;
  // Left by a move that was killed.
  await rm(file, { force: true });
  try {
    await copyTo(file, env, withObjects, onProgress);
    const manifest = await checkArchive(file, onProgress);
    if (isServer) await fillDatabase({ file, manifest, env: target, onProgress });
    else await restoreTo({ file, manifest, env: target, secrets: await readSecretsFile(env), withObjects, onProgress });
    const next = isServer ? "Set DATABASE_URL to it; DATA_DIR stays the same." : "Set DATA_DIR to it, and unset DATABASE_URL.";
    return `${withoutPassword(into)}: moved ${summary({ ...manifest, secrets: true })}. ${next}`;
  } finally {
    await rm(file, { force: true });
  }
}

async function copyTo(file: string, env: BackendEnvironment, withObjects: boolean, onProgress?: OnProgress): Promise<void> {
  const database = await openStopped(env, createLog("error"));
  const bytes = withObjects ? await openByteStore(storageOptions(env)) : null;
  try {
    await makeBackup({ file, database, bytes, secrets: null, program: PROGRAM, onProgress });
  } finally {
    await database.close();
    await bytes?.close();
  }
}

async function readSecretsFile({ DATA_DIR }: BackendEnvironment): Promise<Uint8Array | null> {
  const file = join(DATA_DIR, "secrets.json");
  return existsSync(file) ? readFile(file) : null;
}
