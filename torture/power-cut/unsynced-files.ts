import fs from "node:fs";
import { join } from "node:path";

/** The size of the pages that an operating system writes to the disk one by one; half a page of Postgres. */
const BLOCK_BYTES = 4096;

// The functions themselves: the preload replaces those of `node:fs`.
const { closeSync, existsSync, fstatSync, ftruncateSync, linkSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } = fs;

/** The writes that a power cut undid. */
export interface Losses {
  blocks: number;
  names: number;
}

/** The changes to files that no fsync has stored yet. */
interface UnsyncedFiles {
  /** Saves the blocks from byte `from` to byte `to` of an open file, before they change. */
  keep(descriptor: number, from: number, to: number): void;
  /** Records that a file of this name is about to be created. */
  creating(path: string): void;
  /** Records that a name is about to be removed. */
  removing(path: string): void;
  renaming(from: string, to: string): void;
  /** Records that an fsync has stored a file and all earlier changes of names, as the journal of a file system does. */
  synced(descriptor: number): void;
  /** Undoes a random part: any blocks and lengths of each file, and the latest changes of names. */
  lose(): Losses;
}

interface UnsyncedFile {
  /** A descriptor of our own, because Postgres may close the file. */
  descriptor: number;
  /** The length and the blocks at the last fsync. */
  length: number;
  blocks: Map<number, Buffer>;
}

/** Records changes of files; `removed` is a directory on the same file system, for files without a name. Needs /proc. */
export function recordUnsyncedFiles(removed: string): UnsyncedFiles {
  const files = new Map<number, UnsyncedFile>();
  let undoNames: (() => void)[] = [];
  let links = 0;
  rmSync(removed, { recursive: true, force: true });
  mkdirSync(removed);

  function keepName(path: string): string {
    links += 1;
    const link = join(removed, String(links));
    linkSync(path, link);
    return link;
  }

  return {
    keep(descriptor, from, to) {
      const { ino, size } = fstatSync(descriptor);
      let file = files.get(ino);
      if (!file) files.set(ino, (file = { descriptor: openSync(`/proc/self/fd/${descriptor}`, "r+"), length: size, blocks: new Map() }));
      for (let block = Math.floor(from / BLOCK_BYTES); block * BLOCK_BYTES < to; block += 1) {
        if (file.blocks.has(block)) continue;
        const content = Buffer.alloc(BLOCK_BYTES);
        readSync(file.descriptor, content, 0, BLOCK_BYTES, block * BLOCK_BYTES);
        file.blocks.set(block, content);
      }
    },
    creating(path) {
      if (!existsSync(path)) undoNames.push(() => rmSync(path));
    },
    removing(path) {
      const link = keepName(path);
      undoNames.push(() => renameSync(link, path));
    },
    renaming(from, to) {
      const link = existsSync(to) ? keepName(to) : undefined;
      undoNames.push(() => {
        renameSync(to, from);
        if (link !== undefined) renameSync(link, to);
      });
    },
    synced(descriptor) {
      const { ino } = fstatSync(descriptor);
      const file = files.get(ino);
      if (file) closeSync(file.descriptor);
      files.delete(ino);
      undoNames = [];
      while (links > 0) rmSync(join(removed, String(links--)), { force: true });
    },
    lose() {
      let blocks = 0;
      for (const file of files.values()) blocks += loseBlocks(file);
      const names = Math.floor(Math.random() * (undoNames.length + 1));
      for (const undo of undoNames.slice(undoNames.length - names).toReversed()) undo();
      return { blocks, names };
    },
  };
}

function loseBlocks({ descriptor, length, blocks }: UnsyncedFile): number {
  const written = fstatSync(descriptor).size;
  const left = Math.random() < 0.5 ? length : written;
  // A third of the files lose nothing, a third everything.
  const share = Math.min(1, Math.max(0, Math.random() * 3 - 1));
  let lost = 0;
  ftruncateSync(descriptor, left);
  for (const [block, content] of blocks) {
    const start = block * BLOCK_BYTES;
    const isCutOff = left > written && start + BLOCK_BYTES > written;
    if (start >= left || (!isCutOff && Math.random() >= share)) continue;
    writeSync(descriptor, content, 0, Math.min(BLOCK_BYTES, left - start), start);
    lost += 1;
  }
  return lost;
}
