import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { openDatabase, type Transaction } from "backend";
import {
  adoptStorage,
  type Manifest,
  type OnProgress,
  openByteStore,
  openUnfinished,
  restoreDatabase,
  restoreObjects,
} from "backend/backup.ts";
import { backendEnvironment, type BackendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { storageOptions } from "server/environment/storage.ts";
import { createLog } from "server/log.ts";

/** The environment of an installation in a directory, or in a database of a server with its files in `DATA_DIR`. */
export function environmentOf(into: string): BackendEnvironment {
  const location = /^postgres(?:ql)?:/.test(into) ? { DATABASE_URL: into } : { DATABASE_URL: undefined, DATA_DIR: into };
  return readEnvironment(backendEnvironment, { ...process.env, ...location });
}

/** A location for people to read: an address without its password. */
export function withoutPassword(into: string): string {
  return into.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/, "$1@");
}

interface RestoreOptions {
  file: string;
  manifest: Manifest;
  /** The environment of the new installation; its `DATA_DIR` must be empty or absent. */
  env: BackendEnvironment;
  /** The content of `secrets.json`; null for none. */
  secrets: Uint8Array | null;
  /** False if uploaded files stay where they are. */
  withObjects: boolean;
  /** Changes the rows of the backup before they are committed. */
  adapt?: (tx: Transaction) => Promise<unknown>;
  onProgress: OnProgress | undefined;
}

/**
 * Restores a whole installation. All of it is prepared beside `DATA_DIR` and, on a PostgreSQL server, in one transaction: killed at any
 * moment, it changes nothing that existed.
 */
export async function restoreTo({ file, manifest, env, secrets, withObjects, adapt, onProgress }: RestoreOptions): Promise<void> {
  const { DATABASE_URL: databaseUrl, SUPABASE_DIR: supabaseDir } = env;
  const log = createLog("error");
  const directory = await openUnfinished(resolve(env.DATA_DIR));
  try {
    const bytes = withObjects ? await openByteStore(storageOptions({ ...env, DATA_DIR: directory.path })) : null;
    if (bytes) await restoreObjects({ file, manifest, onProgress }, bytes);
    if (secrets) await writeFile(join(directory.path, "secrets.json"), secrets, { flag: "wx", mode: 0o600, flush: true });
    const database = await openDatabase({ dataDir: directory.path, databaseUrl, poolSize: 2, supabaseDir, log });
    try {
      await restoreDatabase({
        ...{ file, manifest, database, supabaseDir, onProgress, log },
        async beforeCommit(joined) {
          if (adapt) await joined.transaction(adapt);
          if (bytes) await adoptStorage(joined, bytes);
          if (databaseUrl !== undefined) await directory.complete();
        },
      });
    } finally {
      await database.close();
      await bytes?.close();
    }
    if (databaseUrl === undefined) await directory.complete();
  } finally {
    await directory.abandon();
  }
}

/** Restores only the database of a server; its secrets and uploaded files are in `DATA_DIR` already. */
export async function fillDatabase({
  file,
  manifest,
  env,
  adapt,
  onProgress,
}: Omit<RestoreOptions, "secrets" | "withObjects">): Promise<void> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SUPABASE_DIR: supabaseDir } = env;
  const log = createLog("error");
  const database = await openDatabase({ dataDir, databaseUrl, poolSize: 2, log });
  try {
    await restoreDatabase({
      ...{ file, manifest, database, supabaseDir, onProgress, log },
      beforeCommit: async (joined) => void (adapt && (await joined.transaction(adapt))),
    });
  } finally {
    await database.close();
  }
}
