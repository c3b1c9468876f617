import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { openPostgres } from "../../src/db/postgres/postgres.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { createTestPostgres, type OpenDatabase, testLog } from "../database.ts";
import { noise } from "./picture-fixture.ts";
import { openStorageFixture, type StorageFixture, URL_BASE } from "./storage-fixture.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

describe.skipIf(inject("postgres") === null)("two processes on one Postgres and one directory", () => {
  let one: StorageFixture;
  let other: StorageFixture;
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  beforeAll(async () => {
    const { url, remove } = await createTestPostgres();
    const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-processes-"));
    const databases: Database[] = [];
    cleanup.defer(remove);
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const open: OpenDatabase = async ({ scripts = [] } = {}) => {
      const database = await openPostgres({ url, poolSize: 4, log: testLog });
      // The first prepares the database for both.
      if (databases.length === 0) for (const script of scripts) await database.transaction((tx) => tx.script(script));
      databases.push(database);
      cleanup.defer(() => database.close());
      return database;
    };
    one = cleanup.adopt(await openStorageFixture(open, { bytes: openDiskBytes(directory) }), ({ close }) => close());
    other = cleanup.adopt(await openStorageFixture(open, { bytes: openDiskBytes(directory) }), ({ close }) => close());
  });

  test("notify each other of changes to public objects", async () => {
    const files = one.staff.storage.from("public");
    const readThere = async (): Promise<string> => (await other.raw("/object/public/public/shared.txt")).text();
    await files.upload("shared.txt", "first");
    expect(await readThere()).toBe("first");
    await files.update("shared.txt", "second");
    await expect.poll(readThere).toBe("second");
    await one.admin.storage.updateBucket("public", { public: false });
    await expect.poll(readThere).toContain("NoSuchBucket");
    await one.admin.storage.updateBucket("public", { public: true });
    await files.remove(["shared.txt"]);
    await expect.poll(readThere).toContain("NoSuchKey");
  });

  test("delete the renditions of an object that one of them deleted", async () => {
    const files = one.staff.storage.from("public");
    for (const name of ["gone.png", "stays.png"]) await files.upload(name, await noise("png", 40, 40), { contentType: "image/png" });
    const render = (fixture: StorageFixture, name: string) => fixture.raw(`/render/image/public/public/${name}?width=20`);
    for (const fixture of [one, other])
      for (const name of ["gone.png", "stays.png"]) expect((await render(fixture, name)).status).toBe(200);
    await files.remove(["gone.png"]);
    for (const { storage } of [one, other]) for (const { run, everyProcess } of storage.jobs) if (everyProcess) await run();
    expect((await other.renditions()).length).toBe(1);
    expect((await one.renditions()).length).toBe(1);
    expect((await render(other, "stays.png")).status).toBe(200);
  });

  async function begin(name: string, size: number): Promise<string> {
    const metadata = `bucketName ${btoa("private")},objectName ${btoa(name)}`;
    const headers = {
      Authorization: `Bearer ${one.staffToken}`,
      "Tus-Resumable": "1.0.0",
      "Upload-Length": String(size),
      "Upload-Metadata": metadata,
    };
    const { headers: answered } = await one.raw("/upload/resumable", { method: "POST", headers });
    return new URL(answered.get("location") ?? "", URL_BASE).pathname.replace("/storage/v1", "");
  }
  async function send(to: StorageFixture, path: string, offset: number, body: Buffer): Promise<number> {
    const headers = {
      Authorization: `Bearer ${to.staffToken}`,
      "Tus-Resumable": "1.0.0",
      "Upload-Offset": String(offset),
      "Content-Type": "application/offset+octet-stream",
    };
    return (await to.raw(path, { method: "PATCH", headers, body: Uint8Array.from(body) })).status;
  }

  test("accept each part of an upload once, on either process", async () => {
    const body = randomBytes(300_000);
    for (let round = 1; round <= 5; round += 1) {
      const path = await begin(`both-${round}.bin`, body.length);
      const statuses = await Promise.all([send(one, path, 0, body.subarray(0, 100_000)), send(other, path, 0, body.subarray(0, 100_000))]);
      expect(new Set(statuses)).toEqual(new Set([204, 409]));
      const last = await Promise.all([
        send(one, path, 100_000, body.subarray(100_000)),
        send(other, path, 100_000, body.subarray(100_000)),
      ]);
      expect(last).toContain(204);
      const { data } = await other.staff.storage.from("private").download(`both-${round}.bin`);
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()).equals(body)).toBe(true);
    }
    expect(await one.storedKeys()).toEqual(await one.versions());
  });

  test("sweep at the same time during uploads without losing an object", async () => {
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(50_000));
    const uploads = contents.map((content, index) =>
      (index % 2 === 0 ? one : other).staff.storage.from("private").upload(`${index}.txt`, content),
    );
    const sweeps = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? one : other).storage.sweep(new Date(Date.now() - 60_000)));
    await Promise.all([...uploads, ...sweeps]);
    for (const [index, content] of contents.entries()) {
      expect(await (await one.staff.storage.from("private").download(`${index}.txt`)).data?.text()).toBe(content);
    }
    expect(await other.storedKeys()).toEqual(await other.versions());
  });
});
