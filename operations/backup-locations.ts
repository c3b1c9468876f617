import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BackupBucket, BackupError, type OnProgress, openBackupBucket } from "backend/backup.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { s3Account } from "server/environment/storage.ts";
import { StartError } from "server/start-error.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

// A backup is at the path of a file, or at an address s3://bucket/key. That of a bucket is written and read as a temporary file: a restore
// reads it several times, and no snapshot of the database waits for an upload.

/** Calls `write` with the file of a new backup, which is at `location` afterwards. Fails with a `BackupError` or a `StartError`. */
export async function withNewBackup<T>(location: string, write: (file: string) => Promise<T>, onProgress?: OnProgress): Promise<T> {
  if (!isBucket(location)) return write(location);
  return inBucket(location, async (bucket, key) => {
    if (await bucket.has(key)) throw new BackupError("exists", `${location} exists. Name a new one, or remove this one.`);
    return withTemporary(location, async (file) => {
      const result = await write(file);
      await bucket.upload(key, file, onProgress);
      return result;
    });
  });
}

/** Calls `read` with the file of a backup. Fails with a `BackupError` or a `StartError`. */
export async function withBackup<T>(location: string, read: (file: string) => Promise<T>, onProgress?: OnProgress): Promise<T> {
  if (!isBucket(location)) return read(location);
  return withTemporary(location, async (file) => {
    await inBucket(location, (bucket, key) => bucket.download(key, file, onProgress));
    return read(file);
  });
}

/** Lists a folder or an address `s3://bucket/folder` by name. Fails with a `BackupError` or a `StartError`. */
export async function filesIn(folder: string): Promise<{ name: string; modifiedAt: Date }[]> {
  const found = isBucket(folder) ? await inBucket(`${folder}/`, (bucket, prefix) => bucket.list(prefix)) : await listFolder(folder);
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Renames a backup within its folder; replaces a file of that name. */
export async function renameBackup(from: string, to: string): Promise<void> {
  if (isBucket(from)) await inBucket(from, (bucket, key) => bucket.rename(key, to.slice(from.length - key.length)));
  else await rename(from, to);
}

export async function removeBackup(location: string): Promise<void> {
  if (isBucket(location)) await inBucket(location, (bucket, key) => bucket.remove(key));
  else await rm(location);
}

/** Creates the folder of the backups; a bucket must exist. */
export async function createFolder(folder: string): Promise<void> {
  if (!isBucket(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** The location of a backup in a folder. */
export function locationIn(folder: string, name: string): string {
  return isBucket(folder) ? `${folder}/${name}` : join(folder, name);
}

/** True for an address of an S3 service. */
export function isBucket(location: string): boolean {
  return location.startsWith("s3://");
}

async function listFolder(folder: string): Promise<{ name: string; modifiedAt: Date }[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, modifiedAt: (await stat(join(folder, name))).mtime })));
}

async function inBucket<T>(location: string, work: (bucket: BackupBucket, key: string) => Promise<T>): Promise<T> {
  const [, name, key] = /^s3:\/\/([^/]+)\/(.*)$/.exec(location) ?? [];
  if (name === undefined || key === undefined) throw new StartError(`${location} has no name: use s3://bucket/name.tar.`);
  const account = s3Account(readEnvironment(backendEnvironment, process.env));
  if (!account)
    throw new StartError(`Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and S3_ENDPOINT if it is not Amazon's, for ${location}.`);
  const bucket = await openBackupBucket(name, account);
  try {
    return await work(bucket, key);
  } finally {
    bucket.close();
  }
}

/** Calls `work` with a temporary file; its errors name `location`. */
async function withTemporary<T>(location: string, work: (file: string) => Promise<T>): Promise<T> {
  return withTemporaryDirectory(async (directory) => {
    const file = join(directory, basename(location));
    return work(file).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error;
      throw new BackupError(error.code, error.message.replaceAll(file, location), error);
    });
  });
}
