import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, open, opendir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ByteRange, type ByteSource, type ByteStore, ByteStoreError, checkedKey, READ_AT_ONCE, type Written } from "./byte-store.ts";

// Windows has no O_NOFOLLOW; there the value is absent.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Makes a byte store of a directory, which is made with the first write. A file is written aside, synced, renamed and its directory
 * synced: what `write` has acknowledged is there after a power cut, and nothing else is ever seen under a key.
 */
export function openDiskBytes(directory: string): ByteStore {
  const kept = join(directory, "kept");
  const unfinished = join(directory, "unfinished");
  let isMade = false;

  async function make(): Promise<void> {
    if (isMade) return;
    for (const path of [kept, unfinished]) await mkdir(path, { recursive: true, mode: 0o700 });
    await syncDirectory(directory);
    isMade = true;
  }

  // The first letters of a random key spread the files over 256 directories.
  const pathOf = (key: string): string => join(kept, checkedKey(key).slice(0, 2), key);

  async function place(key: string, fill: (aside: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const aside = join(unfinished, `${key}-${randomUUID()}`);
    try {
      await attempt(make);
      await fill(aside);
      await attempt(async () => {
        if ((await mkdir(dirname(path), { recursive: true, mode: 0o700 })) !== undefined) await syncDirectory(kept);
        await rename(aside, path);
        await syncDirectory(dirname(path));
      });
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  return {
    async write(key, source) {
      let written: Written | undefined;
      await place(key, async (aside) => {
        written = await writeFile(aside, source);
      });
      if (!written) throw new Error("A write ended without having written.");
      return written;
    },
    async read(key, range) {
      const file = await openIfThere(pathOf(key));
      return file && readFrom(file, range);
    },
    async copy(from, to) {
      const source = pathOf(from);
      if (!(await statIfThere(source))) return false;
      await place(to, (aside) => attempt(() => copyDurably(source, aside)));
      return true;
    },
    async remove(keys) {
      for (const key of keys) await attempt(() => rm(pathOf(key), { force: true }));
    },
    async stat(key) {
      const found = await statIfThere(pathOf(key));
      return found && { size: found.size, modifiedAt: found.mtime };
    },
    async *keysBefore(moment) {
      for await (const folder of (await opendir(kept).catch(nothingThere)) ?? []) {
        if (folder.isDirectory()) yield* filesBefore(join(kept, folder.name), moment);
      }
    },
    async removeUnfinished(moment) {
      for await (const name of filesBefore(unfinished, moment)) await rm(join(unfinished, name), { force: true });
    },
    close: () => Promise.resolve(),
  };
}

async function writeFile(path: string, source: ByteSource): Promise<Written> {
  const hash = createHash("sha256");
  let size = 0;
  const file = await attempt(() => open(path, CREATE, 0o600));
  try {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.byteLength;
      await attempt(() => file.writeFile(chunk));
    }
    await attempt(() => file.sync());
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest("hex") };
}

async function readFrom(
  file: FileHandle,
  range: ByteRange | undefined,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>> {
  const start = range?.start ?? 0;
  const length = (range ? range.end + 1 : (await file.stat()).size) - start;
  if (length > READ_AT_ONCE) return streamFrom(file, start, length);
  try {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const CHUNK = 256 * 1024;

function streamFrom(file: FileHandle, start: number, length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  const end = start + length;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const chunk = new Uint8Array(Math.min(CHUNK, end - position));
        const { bytesRead } = chunk.length === 0 ? { bytesRead: 0 } : await file.read(chunk, 0, chunk.length, position);
        position += bytesRead;
        if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
        if (bytesRead > 0 && position < end) return;
        await file.close();
        controller.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const file = await open(to, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* filesBefore(directory: string, moment: Date): AsyncGenerator<string> {
  for await (const entry of (await opendir(directory).catch(nothingThere)) ?? []) {
    const found = await statIfThere(join(directory, entry.name));
    if (found && found.mtime < moment) yield entry.name;
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot sync a directory.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function openIfThere(path: string): Promise<FileHandle | null> {
  return attempt(() => open(path, READ).catch(nothingThere));
}

function statIfThere(path: string): Promise<{ size: number; mtime: Date } | null> {
  return attempt(() => stat(path).catch(nothingThere));
}

function nothingThere(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

async function attempt<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new ByteStoreError(FULL.has(codeOf(error)) ? "full" : "unavailable", error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
