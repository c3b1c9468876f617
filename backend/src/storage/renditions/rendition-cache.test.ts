import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ByteStore } from "../bytes/byte-store.ts";
import { openDiskBytes } from "../bytes/disk.ts";
import { createRenditionCache, type RenditionCache } from "./rendition-cache.ts";

// A small file takes one block.
const THREE_FILES = 3 * 4096;

describe("the rendition cache", () => {
  let directory: string;
  let bytes: ByteStore;
  let cache: RenditionCache;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "larkfell-renditions-"));
    bytes = openDiskBytes(directory);
    cache = await createRenditionCache(bytes, THREE_FILES);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const keep = (version: string, key: string) => cache.store(version, key, of(new Uint8Array(100)));
  const has = async (version: string, key: string) => (await cache.read(version, key)) !== null;

  test("returns a stored rendition for its version and key only", async () => {
    await cache.store("v1", "small", of(new TextEncoder().encode("bytes")));
    expect(await cache.read("v1", "small")).toEqual(new TextEncoder().encode("bytes"));
    expect([await has("v2", "small"), await has("v1", "large")]).toEqual([false, false]);
  });

  test("evicts the least recently used rendition above its size limit", async () => {
    for (const key of ["a", "b", "c"]) await keep("v1", key);
    expect(await has("v1", "a")).toBe(true);
    await keep("v1", "d");
    expect(await Promise.all(["a", "b", "c", "d"].map((key) => has("v1", key)))).toEqual([true, false, true, true]);
  });

  test("evicts the least recently used rendition above its number of files", async () => {
    cache = await createRenditionCache(bytes, 100 * THREE_FILES, 2);
    for (const key of ["a", "b", "c"]) await keep("v1", key);
    expect(await Promise.all(["a", "b", "c"].map((key) => has("v1", key)))).toEqual([false, true, true]);
    expect(await Array.fromAsync(bytes.keysBefore(new Date(Date.now() + 1000)))).toHaveLength(2);
  });

  test("counts a rendition that is stored twice once", async () => {
    for (const key of ["a", "b", "c", "c", "c"]) await keep("v1", key);
    expect(await has("v1", "a")).toBe(true);
  });

  test("deletes all renditions of one version only", async () => {
    await keep("v1", "a");
    await keep("v1", "b");
    await keep("v11", "a");
    await cache.forget(["v1"]);
    expect([await has("v1", "a"), await has("v1", "b"), await has("v11", "a")]).toEqual([false, false, true]);
  });

  test("finds earlier renditions after a restart and keeps its size limit", async () => {
    for (const key of ["a", "b", "c"]) await keep("v1", key);
    cache = await createRenditionCache(bytes, THREE_FILES);
    expect(await has("v1", "c")).toBe(true);
    await keep("v1", "d");
    expect((await Promise.all(["a", "b", "c", "d"].map((key) => has("v1", key)))).filter(Boolean)).toHaveLength(3);
  });

  test("opens although another program has left a file beside the renditions", async () => {
    await keep("v1", "a");
    const [folder = ""] = await readdir(join(directory, "kept"));
    await writeFile(join(directory, "kept", folder, ".DS_Store"), "foreign");
    cache = await createRenditionCache(bytes, THREE_FILES);
    expect(await has("v1", "a")).toBe(true);
  });

  test("renders again if a file was removed from outside", async () => {
    await keep("v1", "a");
    for await (const name of bytes.keysBefore(new Date(Date.now() + 1000))) await bytes.remove([name]);
    expect(await has("v1", "a")).toBe(false);
    await keep("v1", "a");
    expect(await has("v1", "a")).toBe(true);
  });
});

async function* of(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
