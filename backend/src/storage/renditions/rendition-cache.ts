import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ByteSource, ByteStore } from "../bytes/byte-store.ts";

export type CachedBytes = NonNullable<Awaited<ReturnType<ByteStore["read"]>>>;

const MAX_FILES = 20_000;
/** The least that a file takes on disk. */
const BLOCK_BYTES = 4096;
const DIGEST_LENGTH = 32;

/** Renditions on disk up to a number of files and a total size; the least recently used go first. */
export interface RenditionCache {
  read(version: string, key: string): Promise<CachedBytes | null>;
  store(version: string, key: string, source: ByteSource): Promise<void>;
  /** Removes all renditions of these object versions. */
  forget(versions: readonly string[]): Promise<void>;
  /** Removes all renditions of the versions whose digests `findUnknown` returns. */
  sweep(findUnknown: FindUnknown): Promise<void>;
}

/** Returns those of the digests that are of no object version. */
type FindUnknown = (digests: readonly string[]) => Promise<readonly string[]>;

/** Makes a cache of a byte store of its own, with the renditions that an earlier process stored there. */
export async function createRenditionCache(bytes: ByteStore, maxBytes: number, maxFiles = MAX_FILES): Promise<RenditionCache> {
  const evicted: string[] = [];
  const sizes = new LRUCache<string, number>({
    max: maxFiles,
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(BLOCK_BYTES, size),
    dispose: (_size, name, reason) => reason === "evict" && evicted.push(name),
  });
  for (const { name, size } of await storedRenditions(bytes)) sizes.set(name, size);
  await bytes.remove(evicted.splice(0));

  async function drop(names: readonly string[]): Promise<void> {
    for (const name of names) sizes.delete(name);
    await bytes.remove(names);
  }

  async function dropVersions(digests: readonly string[]): Promise<void> {
    const dropped = new Set(digests);
    await drop([...sizes.keys()].filter((name) => dropped.has(digestIn(name))));
  }

  return {
    async read(version, key) {
      const name = nameOf(version, key);
      if (sizes.get(name) === undefined) return null;
      const found = await bytes.read(name);
      if (found === null) await drop([name]);
      return found;
    },
    async store(version, key, source) {
      const name = nameOf(version, key);
      const { size } = await bytes.write(name, source);
      sizes.set(name, size);
      await bytes.remove(evicted.splice(0));
    },
    async forget(versions) {
      await dropVersions(versions.map(digestOf));
    },
    async sweep(findUnknown) {
      const digests = new Set(sizes.keys().map(digestIn));
      if (digests.size > 0) await dropVersions(await findUnknown([...digests]));
    },
  };
}

function nameOf(version: string, key: string): string {
  return `${digestOf(version)}-${digestOf(key)}`;
}

/** Returns the digest of the version in the name of a rendition. */
function digestIn(name: string): string {
  return name.slice(0, DIGEST_LENGTH);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_LENGTH);
}

/** Lists the stored renditions, oldest first. */
async function storedRenditions(bytes: ByteStore): Promise<{ name: string; size: number; modifiedAt: Date }[]> {
  const found: { name: string; size: number; modifiedAt: Date }[] = [];
  for await (const name of bytes.keysBefore(new Date(Date.now() + 1000))) {
    const stored = await bytes.stat(name);
    if (stored) found.push({ name, ...stored });
  }
  return found.sort((one, other) => Number(one.modifiedAt) - Number(other.modifiedAt));
}
