import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ByteStore, newKey } from "../../src/storage/bytes/byte-store.ts";
import type { SweepMode } from "../../src/storage/sweep.ts";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, type StorageFixture } from "./storage-fixture.ts";

const LATER = new Date(Date.now() + 3_600_000);

describePairs("the files of a database", (open, openBytes) => {
  const cleanup = new AsyncDisposableStack();
  let bytes: ByteStore;
  let ours: StorageFixture;
  let other: StorageFixture;
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });

  /** Opens a project on a fresh database with the shared files. */
  async function openOn(files: ByteStore, sweepMode: SweepMode = "on"): Promise<StorageFixture> {
    const shared = { ...files, close: () => Promise.resolve() };
    return cleanup.adopt(await openStorageFixture(open, { bytes: shared, sweepMode, log }), (fixture) => fixture.close());
  }
  async function openFiles(): ReturnType<typeof openBytes> {
    return cleanup.adopt(await openBytes(), (files) => files.close());
  }
  async function keysOf(files: ByteStore): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of files.keysBefore(LATER)) keys.push(key);
    return keys.toSorted();
  }
  async function* content(text = "content"): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  async function addOrphans(files: ByteStore, count: number): Promise<string[]> {
    const keys = Array.from({ length: count }, newKey);
    for (const key of keys) await files.write(key, content());
    return keys;
  }

  beforeAll(async () => {
    bytes = await openFiles();
    ours = await openOn(bytes);
    // The storage is tied to the database before the first upload.
    await ours.storage.sweep(LATER);
    for (const name of ["one.txt", "two.txt", "three.txt"]) await ours.staff.storage.from("private").upload(name, name);
    other = await openOn(bytes);
  });
  afterAll(() => cleanup.disposeAsync());
  afterEach(() => void logged.splice(0));

  test("stay when the server is started with an empty database, which is logged once", async () => {
    const before = await keysOf(bytes);
    expect(before).toHaveLength(3);
    await other.storage.sweep(LATER);
    await other.storage.sweep(LATER);
    expect(await keysOf(bytes)).toEqual(before);
    expect(logged.filter((line) => line.includes("belong to another database"))).toHaveLength(1);
    for (const name of ["one.txt", "two.txt", "three.txt"]) {
      expect(await (await ours.staff.storage.from("private").download(name)).data?.text()).toBe(name);
    }
  });

  test("stay when the server is started with the database of another project", async () => {
    const otherFiles = await openFiles();
    const onOtherDatabase = (files: ByteStore): Promise<StorageFixture> =>
      openStorageFixture(() => Promise.resolve(other.database), { bytes: { ...files, close: () => Promise.resolve() }, log });
    const elsewhere = await onOtherDatabase(otherFiles);
    await elsewhere.storage.sweep(LATER);
    await elsewhere.close();
    expect(await otherFiles.readDatabaseId()).not.toBeNull();
    const mistyped = await onOtherDatabase(bytes);
    const before = await keysOf(bytes);
    await mistyped.storage.sweep(LATER);
    await mistyped.close();
    expect(await keysOf(bytes)).toEqual(before);
  });

  test("stay if they have no id and the database does not know all of them", async () => {
    const files = await openFiles();
    const keys = await addOrphans(files, 2);
    const fixture = await openOn(files);
    await fixture.storage.sweep(LATER);
    expect(await keysOf(files)).toEqual(keys.toSorted());
    expect(await files.readDatabaseId()).toBeNull();
  });

  test("are adopted, and their orphans removed, by an explicit decision", async () => {
    const files = await openFiles();
    await files.writeDatabaseId(crypto.randomUUID());
    await addOrphans(files, 25);
    const fixture = await openOn(files, "adopt");
    await fixture.staff.storage.from("private").upload("known.txt", "known");
    await fixture.storage.sweep(LATER);
    expect(await keysOf(files)).toEqual(await fixture.versions());
  });

  describe("that no row refers to", () => {
    let files: Awaited<ReturnType<typeof openBytes>>;
    let fixture: StorageFixture;
    beforeAll(async () => {
      files = await openFiles();
      fixture = await openOn(files);
      await fixture.storage.sweep(LATER);
    });
    async function trashed(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of files.listTrash()) keys.push(key);
      return keys.toSorted();
    }

    test("go to the trash and are deleted there after seven days", async () => {
      const keys = await addOrphans(files, 3);
      await fixture.storage.sweep(LATER);
      expect(await keysOf(files)).toEqual([]);
      expect(await trashed()).toEqual(keys.toSorted());
      const day = 86_400_000;
      await fixture.storage.sweep(LATER, new Date(Date.now() + 7 * day));
      expect(await trashed()).toEqual(keys.toSorted());
      await fixture.storage.sweep(LATER, new Date(Date.now() + 8 * day));
      expect(await trashed()).toEqual([]);
    });

    test("go to the trash although other programs have left files beside them", async () => {
      await files.addForeign(".DS_Store");
      const keys = await addOrphans(files, 1);
      await fixture.storage.sweep(LATER);
      expect(await keysOf(files)).toEqual([]);
      expect(await trashed()).toEqual(keys);
      await fixture.storage.sweep(LATER, new Date(Date.now() + 8 * 86_400_000));
      expect(await trashed()).toEqual([]);
    });

    test("come back from the trash when a row refers to them again", async () => {
      const [key = ""] = await addOrphans(files, 1);
      await fixture.storage.sweep(LATER);
      expect(await trashed()).toEqual([key]);
      await fixture.staff.storage.from("private").upload("restored.txt", "placeholder");
      await fixture.database.transaction((tx) => tx.query("update storage.objects set version = $1 where name = 'restored.txt'", [key]));
      await fixture.storage.sweep(LATER);
      expect(await trashed()).toEqual([]);
      expect(await (await fixture.staff.storage.from("private").download("restored.txt")).data?.text()).toBe("content");
    });

    test("stay if they are more than a tenth of the files, and more than twenty", async () => {
      expect(await keysOf(files)).toHaveLength(1);
      await addOrphans(files, 21);
      await fixture.storage.sweep(LATER);
      expect(await keysOf(files)).toHaveLength(22);
      expect(logged.join("")).toContain("21 of 22 uploaded files are in no row");
    });
  });
});
