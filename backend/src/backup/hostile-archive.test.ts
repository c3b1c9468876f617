import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDiskBytes } from "../storage/bytes/disk.ts";
import { checkArchive } from "./archive-reader.ts";
import { FORMAT } from "./manifest.ts";
import { readSealedSecrets, restoreObjects } from "./restore-files.ts";

interface Entry {
  name: string;
  content?: string;
  type?: "symlink" | "link";
}

const MANIFEST = {
  name: "manifest.json",
  content: JSON.stringify({
    ...{ format: FORMAT, createdAt: "2026-11-23T00:00:00.000Z", program: "test", postgres: "18", tables: [], sequences: [], secrets: true },
    ...{ migrations: { platform: [], project: [] }, objects: { count: 0, bytes: 0, missing: [] } },
  }),
};

let directory: string;
const cleanup = new AsyncDisposableStack();

beforeAll(async () => {
  directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-hostile-")), (path) => rm(path, { recursive: true, force: true }));
});
afterAll(() => cleanup.disposeAsync());

/** Writes a tar file with these entries and their right sums. */
async function archiveOf(...entries: readonly Entry[]): Promise<string> {
  const file = join(directory, `${crypto.randomUUID()}.tar`);
  const sums = entries.map(({ name, content = "" }) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
  const tar = pack();
  const written = pipeline(tar, createWriteStream(file));
  for (const { name, content = "", type } of [...entries, { name: "SHA256SUMS", content: sums.join("") }]) {
    tar.entry(type ? { name, type, linkname: "/etc/hostname" } : { name }, content);
  }
  tar.finalize();
  await written;
  return file;
}

const damaged = (text: string) => ({ name: "BackupError", code: "damaged", message: expect.stringContaining(text) });

test("a backup with two entries of one name is refused: the sum is that of one of them", async () => {
  const twice = await archiveOf({ name: "objects/aaaaaaaa", content: "1" }, { name: "objects/aaaaaaaa", content: "1" }, MANIFEST);
  await expect(checkArchive(twice)).rejects.toMatchObject(damaged("objects/aaaaaaaa is in it twice"));
  await expect(checkArchive(await archiveOf(MANIFEST, MANIFEST))).rejects.toMatchObject(damaged("manifest.json is in it twice"));
});

test("a backup with a link in the place of a file is refused", async () => {
  for (const type of ["symlink", "link"] as const)
    await expect(checkArchive(await archiveOf({ name: "objects/aaaaaaaa", type }, MANIFEST))).rejects.toMatchObject(
      damaged("objects/aaaaaaaa is not a file"),
    );
});

test("an uploaded file whose name leads out of the storage is refused, and nothing is written outside", async () => {
  const storage = join(directory, "data", "storage");
  for (const name of ["objects/../../../../outside", "objects//etc/outside", "objects/"]) {
    const file = await archiveOf({ name, content: "x" }, MANIFEST);
    const restored = restoreObjects({ file, manifest: await checkArchive(file) }, openDiskBytes(storage));
    await expect(restored).rejects.toMatchObject(damaged(`${name} names no uploaded file`));
  }
  expect((await readdir(directory, { recursive: true })).filter((path) => path.includes("outside"))).toEqual([]);
});

test("a manifest or secrets that cannot be read are refused with the reason", async () => {
  for (const content of ["{", "[]", JSON.stringify({ format: FORMAT })]) {
    const file = await archiveOf({ name: MANIFEST.name, content });
    await expect(checkArchive(file), content).rejects.toMatchObject({ name: "BackupError", message: expect.stringContaining(file) });
  }
  for (const content of ["{", JSON.stringify({ cipher: "none" })]) {
    const file = await archiveOf({ name: "secrets.json.sealed", content }, MANIFEST);
    await expect(readSealedSecrets(file, "words of a passphrase"), content).rejects.toMatchObject(damaged("secrets"));
  }
});
