import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, open, opendir, readFile, rename, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ByteStore, ByteStoreError, checkedKey, isKey, parseTrashName, trashName, type Written } from "./byte-store.ts";
import { FULL_BYTES, freeBytes } from "../../disk-space.ts";
import { copyDurably, syncDirectory, writeDurably } from "./durable-file.ts";
import { attempt, nothingThere } from "./file-errors.ts";
import { readFrom } from "./read-file.ts";

// Windows has no O_NOFOLLOW; there the value is absent.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/**
 * Makes a byte store in a directory, which is created by the first write. A file is written under a temporary name, synced and
 * renamed, and its directory synced: bytes that `write` has acknowledged survive a power cut, and a key never has partial bytes (decision 015).
 * Files are refused when less than `reservedBytes` of the disk are free, which are for the database.
 */
export function openDiskBytes(directory: string, reservedBytes = FULL_BYTES): ByteStore {
  const objects = join(directory, "kept");
  const unfinished = join(directory, "unfinished");
  const trash = join(directory, "trash");
  const databaseId = join(directory, "database-id");
  let isMade = false;

  async function make(): Promise<void> {
    if (isMade) return;
    for (const path of [objects, unfinished]) await mkdir(path, { recursive: true, mode: 0o700 });
    await syncDirectory(directory);
    isMade = true;
  }

  // The first two characters of a random key spread the files over 256 directories.
  const pathOf = (key: string): string => join(objects, checkedKey(key).slice(0, 2), key);

  async function move(from: string, to: string): Promise<void> {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    // Another process may have moved the bytes already.
    await rename(from, to).catch(nothingThere);
  }

  async function store(key: string, fill: (temporary: string) => Promise<void>): Promise<void> {
    const path = pathOf(key);
    const temporary = join(unfinished, `${key}-${randomUUID()}`);
    try {
      await attempt(make);
      if (freeBytes(directory) < reservedBytes) throw new ByteStoreError("full", undefined);
      await fill(temporary);
      await attempt(async () => {
        if ((await mkdir(dirname(path), { recursive: true, mode: 0o700 })) !== undefined) await syncDirectory(objects);
        await rename(temporary, path);
        await syncDirectory(dirname(path));
      });
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  return {
    async write(key, source) {
      let written: Written | undefined;
      await store(key, async (temporary) => {
        written = await writeDurably(temporary, source);
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
      await store(to, (temporary) => attempt(() => copyDurably(source, temporary)));
      return true;
    },
    copyToFile: (key, path) => attempt(() => linkOrCopy(pathOf(key), path)),
    async remove(keys) {
      for (const key of keys) await attempt(() => rm(pathOf(key), { force: true }));
    },
    async stat(key) {
      const found = await statIfThere(pathOf(key));
      return found && { size: found.size, modifiedAt: found.mtime };
    },
    async *keysBefore(moment) {
      for await (const folder of (await opendir(objects).catch(nothingThere)) ?? []) {
        if (!folder.isDirectory()) continue;
        for await (const name of filesBefore(join(objects, folder.name), moment)) if (isKey(name)) yield name;
      }
    },
    async removeUnfinished(moment) {
      for await (const name of filesBefore(unfinished, moment)) await rm(join(unfinished, name), { force: true });
    },
    readDatabaseId: () => attempt(async () => (await readFile(databaseId, "utf8").catch(nothingThere))?.trim() ?? null),
    async writeDatabaseId(id) {
      await attempt(make);
      const temporary = join(unfinished, `database-id-${randomUUID()}`);
      await writeDurably(temporary, single(Buffer.from(`${id}\n`)));
      await attempt(async () => {
        await rename(temporary, databaseId);
        await syncDirectory(directory);
      });
    },
    async trash(keys) {
      for (const key of keys) await attempt(() => move(pathOf(key), join(trash, trashName(key))));
    },
    async *listTrash() {
      for await (const folder of (await opendir(trash).catch(nothingThere)) ?? []) {
        if (!folder.isDirectory()) continue;
        for await (const { name } of await opendir(join(trash, folder.name))) {
          const item = parseTrashName(`${folder.name}/${name}`);
          if (item) yield item;
        }
      }
    },
    restore: ({ key, day }) => attempt(() => move(join(trash, day, checkedKey(key)), pathOf(key))),
    async deleteTrashed(items) {
      for (const { key, day } of items) await attempt(() => rm(join(trash, day, checkedKey(key)), { force: true }));
      for (const day of new Set(items.map((item) => item.day))) await rmdir(join(trash, day)).catch(() => undefined);
    },
    close: () => Promise.resolve(),
  };
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* filesBefore(directory: string, moment: Date): AsyncGenerator<string> {
  for await (const entry of (await opendir(directory).catch(nothingThere)) ?? []) {
    const found = await statIfThere(join(directory, entry.name));
    if (found && found.mtime < moment) yield entry.name;
  }
}

async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    // Nothing there, another file system, or one without links.
    const copied = copyFile(from, to, constants.COPYFILE_EXCL).then(() => true);
    return (await copied.catch(nothingThere)) ?? false;
  }
}

function openIfThere(path: string): Promise<FileHandle | null> {
  return attempt(() => open(path, READ).catch(nothingThere));
}

function statIfThere(path: string): Promise<{ size: number; mtime: Date } | null> {
  return attempt(() => stat(path).catch(nothingThere));
}
