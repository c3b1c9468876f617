import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byteDrivers } from "../../../test/wire/storage-drivers.ts";
import { type ByteStore, newKey } from "./byte-store.ts";
import { openDiskBytes } from "./disk.ts";
import { TEMPORARY_FILES } from "../../../test/temporary-files.ts";

const LARGE = randomBytes(12 * 1024 * 1024);

async function* chunked(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
async function readAll(bytes: ByteStore, key: string, range?: { start: number; end: number }): Promise<Buffer | null> {
  const found = await bytes.read(key, range);
  return found && Buffer.from(await new Response(found).arrayBuffer());
}
async function keysOf(bytes: ByteStore, before = new Date(Date.now() + 60_000)): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of bytes.keysBefore(before)) keys.push(key);
  return keys;
}

test("a stream that nobody reads closes its file when it is garbage-collected", async () => {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-bytes-"));
  const bytes = openDiskBytes(directory);
  const key = newKey();
  await bytes.write(key, chunked(LARGE));
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const streams = Array.from({ length: 5 }, () => bytes.read(key));
  await Promise.all(streams.splice(0).map(async (stream) => void (await stream)));
  // An open FileHandle that is collected is an uncaught error, which fails the test run.
  for (let turn = 0; turn < 5; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await readAll(bytes, key))?.length).toBe(LARGE.length);
  await rm(directory, { recursive: true });
});

describe.each(byteDrivers)("bytes on %s", (_name, open) => {
  let bytes: ByteStore;
  beforeAll(async () => {
    bytes = await open();
    return () => bytes.close();
  });

  test.each([0, 1, 100_000, LARGE.length])("are read as written: %i of them", async (size) => {
    const key = newKey();
    const content = LARGE.subarray(0, size);
    const { sha256, size: written } = await bytes.write(key, chunked(content));
    expect(written).toBe(size);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await readAll(bytes, key))?.equals(content)).toBe(true);
    expect(await bytes.stat(key)).toMatchObject({ size });
  });

  test("are read in part", async () => {
    const key = newKey();
    await bytes.write(key, chunked(LARGE));
    for (const [start, end] of [
      [0, 1],
      [5, 104],
      [1_000_000, 9_999_999],
      [LARGE.length - 1, LARGE.length - 1],
    ] as const) {
      expect([start, (await readAll(bytes, key, { start, end }))?.equals(LARGE.subarray(start, end + 1))]).toEqual([start, true]);
    }
  });

  test("of a failing source are not stored, and the write fails with the source's error", async () => {
    const key = newKey();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield LARGE.subarray(0, 7_000_000);
      throw new RangeError("the line is cut");
    }
    await expect(bytes.write(key, failing())).rejects.toThrow(RangeError);
    expect(await bytes.read(key)).toBeNull();
    expect(await keysOf(bytes)).not.toContain(key);
  });

  test("are copied and removed, and removing missing bytes is no error", async () => {
    const [from, to] = [newKey(), newKey()];
    await bytes.write(from, chunked(LARGE));
    expect(await bytes.copy(from, to)).toBe(true);
    await bytes.remove([from, newKey()]);
    expect(await bytes.read(from)).toBeNull();
    expect(await bytes.stat(from)).toBeNull();
    expect((await readAll(bytes, to))?.equals(LARGE)).toBe(true);
    expect(await bytes.copy(from, newKey())).toBe(false);
    expect(await keysOf(bytes)).toContain(to);
    expect(await keysOf(bytes, new Date(Date.now() - 60_000))).toEqual([]);
  });

  test.each(["../../etc/passwd", "a/b/c/d/e/f", "", ".hidden-name", "short", "UPPERCASE", "a".repeat(200), "nul\0-in-name"])(
    "have no key like %j",
    async (key) => {
      await expect(bytes.write(key, chunked(LARGE))).rejects.toThrow(TypeError);
      await expect(bytes.read(key)).rejects.toThrow(TypeError);
    },
  );
});

describe("bytes on disk", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-disk-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test("are not read through a symbolic link to another place", async () => {
    const bytes = openDiskBytes(directory);
    const key = newKey();
    const secret = join(directory, "secret.txt");
    await writeFile(secret, "secret");
    await mkdir(join(directory, "kept", key.slice(0, 2)), { recursive: true });
    await symlink(secret, join(directory, "kept", key.slice(0, 2), key));
    await expect(bytes.read(key)).rejects.toMatchObject({ code: "unavailable" });
    await bytes.write(key, chunked(Buffer.from("ours")));
    expect(await readFile(secret, "utf8")).toBe("secret");
    expect((await readAll(bytes, key))?.toString()).toBe("ours");
  });

  test("leave no temporary files, and old remains of a crash are deleted", async () => {
    const bytes = openDiskBytes(directory);
    await bytes.write(newKey(), chunked(LARGE));
    expect(await readdir(join(directory, "unfinished"))).toEqual([]);
    await writeFile(join(directory, "unfinished", `${newKey()}-half`), "half");
    await bytes.removeUnfinished(new Date(Date.now() - 60_000));
    expect(await readdir(join(directory, "unfinished"))).toHaveLength(1);
    await bytes.removeUnfinished(new Date(Date.now() + 60_000));
    expect(await readdir(join(directory, "unfinished"))).toEqual([]);
  });
});
