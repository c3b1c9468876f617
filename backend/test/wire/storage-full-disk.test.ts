import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { openTestPglite } from "../database.ts";
import { openStorageFixture, refusal, type StorageFixture } from "./storage-fixture.ts";

const MB = 1024 * 1024;

let mount: string;
let database: Database | undefined;
let fixture: StorageFixture | undefined;
beforeAll(async () => {
  mount = await mkdtemp(join(tmpdir(), "larkfell-full-"));
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", mount]).status !== 0) {
    console.warn("\n*** No file system can be mounted here: the test of a full disk is SKIPPED. Run it as root on Linux. ***\n");
    return;
  }
  fixture = await openStorageFixture(openScripted, { bytes: openDiskBytes(mount, 0) });
});
afterAll(async () => {
  await fixture?.close();
  await database?.close();
  spawnSync("umount", [mount]);
  await rm(mount, { recursive: true, force: true });
});

async function openScripted({ scripts = [] }: { scripts?: readonly string[] } = {}): ReturnType<typeof openTestPglite> {
  database = await openTestPglite();
  for (const script of scripts) await database.transaction((tx) => tx.script(script));
  return database;
}

test("a full disk refuses uploads that do not fit, keeps stored objects and accepts uploads that fit again", async ({ skip }) => {
  if (!fixture) return skip("no file system can be mounted");
  const files = fixture.staff.storage.from("private");
  const content = Buffer.alloc(MB, "kept");
  expect((await files.upload("kept.bin", content)).error).toBeNull();
  for (const name of ["much.bin", "kept.bin"]) {
    expect(await refusal(files.upload(name, Buffer.alloc(8 * MB, "much"), { upsert: true }))).toEqual({
      status: 507,
      statusCode: "507",
      message: "There is no space left to keep the object",
      code: "InsufficientStorage",
    });
  }
  expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  expect(Buffer.from((await (await files.download("kept.bin")).data?.arrayBuffer()) ?? new ArrayBuffer()).equals(content)).toBe(true);
  expect((await files.upload("fits.bin", content)).error).toBeNull();
});
