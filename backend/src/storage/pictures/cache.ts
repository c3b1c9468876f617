import { createHash } from "node:crypto";
import type { ByteSource, ByteStore } from "../bytes/byte-store.ts";

export type KeptBytes = NonNullable<Awaited<ReturnType<ByteStore["read"]>>>;

/** Drawn pictures within a bound: where it is passed, those asked for longest ago go first. */
export interface PictureCache {
  /** Gives what is kept under a key of a version; null where there is nothing. */
  read(version: string, key: string): Promise<KeptBytes | null>;
  keep(version: string, key: string, source: ByteSource): Promise<void>;
  /** Forgets all that was drawn from these versions. */
  forget(versions: readonly string[]): Promise<void>;
}

/** Makes the cache of a byte store that is its own; what an earlier run has kept there is used again. */
export async function createPictureCache(bytes: ByteStore, mostBytes: number): Promise<PictureCache> {
  // The order of a Map is the order of use: what is used is taken out and put in again.
  const sizes = await readSizes(bytes);
  let total = sizes.values().reduce((sum, size) => sum + size, 0);

  async function drop(name: string): Promise<void> {
    total -= sizes.get(name) ?? 0;
    sizes.delete(name);
    await bytes.remove([name]);
  }

  return {
    async read(version, key) {
      const name = nameOf(version, key);
      const size = sizes.get(name);
      if (size === undefined) return null;
      const found = await bytes.read(name);
      if (found === null) {
        await drop(name);
        return null;
      }
      sizes.delete(name);
      sizes.set(name, size);
      return found;
    },
    async keep(version, key, source) {
      const name = nameOf(version, key);
      const { size } = await bytes.write(name, source);
      total += size - (sizes.get(name) ?? 0);
      sizes.delete(name);
      sizes.set(name, size);
      for (const oldest of sizes.keys()) {
        if (total <= mostBytes || oldest === name) break;
        await drop(oldest);
      }
    },
    async forget(versions) {
      const prefixes = versions.map(prefixOf);
      const names = [...sizes.keys()].filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
      for (const name of names) await drop(name);
    },
  };
}

function nameOf(version: string, key: string): string {
  return `${prefixOf(version)}-${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

function prefixOf(version: string): string {
  return createHash("sha256").update(version).digest("hex").slice(0, 32);
}

/** What an earlier run has kept, in the order it was made. */
async function readSizes(bytes: ByteStore): Promise<Map<string, number>> {
  const found: { name: string; size: number; modifiedAt: Date }[] = [];
  for await (const name of bytes.keysBefore(new Date(Date.now() + 1000))) {
    const kept = await bytes.stat(name);
    if (kept) found.push({ name, ...kept });
  }
  found.sort((one, other) => Number(one.modifiedAt) - Number(other.modifiedAt));
  return new Map(found.map(({ name, size }) => [name, size]));
}
