import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDrivers } from "./storage-drivers.ts";
import { openStorageFixture, PUBLISHABLE_KEY, refusal, type StorageFixture, USER_ID } from "./storage-fixture.ts";

describeDrivers("objects", (open, openBytes) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  beforeAll(async () => {
    fixture = await openStorageFixture(open, { bytes: await openBytes() });
  });
  const text = async (blob: Blob | null): Promise<string | undefined> => blob?.text();

  test("are uploaded with their declared type and downloaded unchanged", async () => {
    const files = fixture.staff.storage.from("private");
    const content = "Grüße aus Keswick ⛰";
    const bodies = {
      string: content,
      bytes: new TextEncoder().encode(content),
      blob: new Blob([content], { type: "text/plain" }),
      file: new File([content], "any.txt", { type: "text/plain" }),
      stream: new Blob([content]).stream(),
    };
    for (const [kind, body] of Object.entries(bodies)) {
      const { data, error } = await files.upload(`kinds/${kind}.txt`, body, { cacheControl: "60", metadata: { kind } });
      expect(error).toBeNull();
      expect(data).toEqual({ id: expect.any(String), path: `kinds/${kind}.txt`, fullPath: `private/kinds/${kind}.txt` });
      expect(await text((await files.download(`kinds/${kind}.txt`)).data)).toBe(content);
      const { data: info } = await files.info(`kinds/${kind}.txt`);
      expect(info).toMatchObject({ size: 23, cacheControl: "max-age=60", metadata: { kind }, bucketId: "private" });
      expect(info?.contentType).toMatch(/^text\/plain/);
      expect(info?.etag).toMatch(/^"[0-9a-f]{64}"$/);
    }
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("keep their content encoding, except one that is not a valid header", async () => {
    const files = fixture.staff.storage.from("private");
    const encoding = async (): Promise<string | null> => {
      const headers = { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${fixture.staffToken}` };
      return (await fixture.raw("/object/authenticated/private/encoded.txt", { method: "HEAD", headers })).headers.get("content-encoding");
    };
    for (const body of ["text", new Blob(["text"])]) {
      await files.upload("encoded.txt", body, { upsert: true, contentEncoding: "gzip" });
      expect(await encoding()).toBe("gzip");
    }
    await files.upload("encoded.txt", new Blob(["text"]), { upsert: true, contentEncoding: "a\r\nX-Evil: 1" });
    expect(await encoding()).toBeNull();
    expect(await text((await files.download("encoded.txt")).data)).toBe("text");
  });

  test("belong to the caller who uploads them", async () => {
    await fixture.staff.storage.from("private").upload("owned.txt", "mine");
    const [row] = await fixture.database.transaction((tx) =>
      tx.query("select owner, owner_id, metadata, path_tokens from storage.objects where name = 'owned.txt'"),
    );
    expect(row).toMatchObject({ owner: USER_ID, owner_id: USER_ID, path_tokens: ["owned.txt"] });
    expect(row?.["metadata"]).toMatchObject({ size: 4, contentLength: 4, httpStatusCode: 200, cacheControl: "max-age=3600" });
  });

  test("are refused before their body is read if a policy forbids the upload", async () => {
    let read = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          read += 1;
          controller.enqueue(new Uint8Array(1000));
          if (read > 100) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect(await refusal(fixture.staff.storage.from("private").upload("vault/gold.txt", body))).toEqual({
      status: 400,
      statusCode: "403",
      message: "new row violates row-level security policy",
      code: "AccessDenied",
    });
    expect(read).toBe(0);
    expect(await refusal(fixture.anon.storage.from("public").upload("a.txt", "a"))).toMatchObject({ statusCode: "403" });
    expect(await refusal(fixture.staff.storage.from("nowhere").upload("a.txt", "a"))).toMatchObject({
      statusCode: "404",
      code: "NoSuchBucket",
    });
  });

  test("are replaced only by an upload with upsert", async () => {
    const files = fixture.staff.storage.from("private");
    const first = await files.upload("twice.txt", "one");
    expect(await refusal(files.upload("twice.txt", "two"))).toEqual({
      status: 400,
      statusCode: "409",
      message: "The resource already exists",
      code: "KeyAlreadyExists",
    });
    expect(await text((await files.download("twice.txt")).data)).toBe("one");
    const second = await files.upload("twice.txt", "two", { upsert: true });
    expect(second.data?.id).toBe(first.data?.id);
    expect(await text((await files.download("twice.txt")).data)).toBe("two");
    await files.update("twice.txt", "three");
    expect(await text((await files.download("twice.txt")).data)).toBe("three");
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
    await fixture.admin.storage.from("private").upload("archive/old.txt", "old");
    expect(await refusal(files.upload("archive/old.txt", "new", { upsert: true }))).toMatchObject({ statusCode: "403" });
    expect(await refusal(files.update("archive/old.txt", "new"))).toMatchObject({ statusCode: "403" });
    expect(await text((await files.download("archive/old.txt")).data)).toBe("old");
  });

  test("of one name uploaded at the same time end as one complete upload", async () => {
    const files = fixture.staff.storage.from("private");
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(20_000 + index));
    const uploads = await Promise.all(contents.map((content) => files.upload("race.txt", content, { upsert: true })));
    expect(uploads.map(({ error }) => error)).toEqual(contents.map(() => null));
    expect(contents).toContain(await text((await files.download("race.txt")).data));
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
    const tries = await Promise.all(contents.map((content) => files.upload("first.txt", content)));
    expect(tries.filter(({ error }) => error === null)).toHaveLength(1);
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are listed by folder, in order and page by page", async () => {
    const files = fixture.staff.storage.from("public");
    for (const name of ["b.txt", "a/1.txt", "a/2.txt", "a/deep/3.txt", "c.txt", "A.txt", "per%cent/_x.txt"]) await files.upload(name, name);
    const names = async (...args: Parameters<typeof files.list>): Promise<string[]> =>
      ((await files.list(...args)).data ?? []).map(({ name }) => name);
    expect(await names()).toEqual(["A.txt", "a", "b.txt", "c.txt", "per%cent"]);
    expect(await names("a")).toEqual(["1.txt", "2.txt", "deep"]);
    expect(await names("a/")).toEqual(["1.txt", "2.txt", "deep"]);
    expect(await names("a", { limit: 1, offset: 1 })).toEqual(["2.txt"]);
    expect(await names("", { sortBy: { column: "name", order: "desc" } })).toEqual(["per%cent", "c.txt", "b.txt", "a", "A.txt"]);
    expect(await names("", { sortBy: { column: "created_at", order: "desc" } })).toEqual(["per%cent", "a", "A.txt", "c.txt", "b.txt"]);
    expect(await names("", { search: "B" })).toEqual(["b.txt"]);
    expect(await names("per%cent", { search: "_" })).toEqual(["_x.txt"]);
    expect(await names("%")).toEqual([]);
    const [folder, , file] = (await files.list("a", { sortBy: { column: "created_at", order: "asc" } })).data ?? [];
    expect(folder).toEqual({ name: "deep", id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null });
    expect(file).toMatchObject({
      name: "2.txt",
      id: expect.any(String),
      metadata: { size: 7, mimetype: expect.stringContaining("text/plain") },
    });
    expect((await fixture.anon.storage.from("public").list()).data).toEqual([]);
  });

  test("are listed with cursors, grouped by folder or one by one", async () => {
    const files = fixture.staff.storage.from("public");
    for (const name of ["v2/a.txt", "v2/b/1.txt", "v2/b/2.txt", "v2/c.txt", "v2/d/1.txt", "v2/e.txt"]) await files.upload(name, name);
    for (const column of ["name", "created_at", "updated_at"] as const) {
      for (const order of ["asc", "desc"] as const) {
        for (const with_delimiter of [true, false]) {
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let pages = 1; pages < 10; pages += 1) {
            const { data, error } = await files.listV2({
              prefix: "v2/",
              limit: 2,
              with_delimiter,
              sortBy: { column, order },
              ...(cursor === undefined ? {} : { cursor }),
            });
            expect(error).toBeNull();
            seen.push(...(data?.folders ?? []).map(({ name }) => name), ...(data?.objects ?? []).map(({ name }) => name));
            expect(data?.hasNext).toBe(data?.nextCursor !== undefined);
            cursor = data?.nextCursor;
            if (cursor === undefined) break;
          }
          expect(seen.toSorted()).toEqual(
            with_delimiter
              ? ["v2/a.txt", "v2/b/", "v2/c.txt", "v2/d/", "v2/e.txt"]
              : ["v2/a.txt", "v2/b/1.txt", "v2/b/2.txt", "v2/c.txt", "v2/d/1.txt", "v2/e.txt"],
          );
        }
      }
    }
    const { data } = await files.listV2({ prefix: "v2/", with_delimiter: true });
    expect(data?.folders).toEqual([
      { name: "v2/b/", key: "b" },
      { name: "v2/d/", key: "d" },
    ]);
    expect(data?.objects[0]).toMatchObject({ name: "v2/a.txt", key: "a.txt", metadata: { size: 8 } });
    expect(await refusal(files.listV2({ cursor: "nonsense" }))).toMatchObject({ statusCode: "400", code: "InvalidParameter" });
  });

  test("are moved without their bytes being touched", async () => {
    const files = fixture.staff.storage.from("private");
    const { data: uploaded } = await files.upload("move/from.txt", "cargo");
    const before = await fixture.storedKeys();
    expect(await files.move("move/from.txt", "move/to.txt")).toMatchObject({ data: { message: "Successfully moved" }, error: null });
    expect(await files.move("move/to.txt", "arrived.txt", { destinationBucket: "public" })).toMatchObject({ error: null });
    expect(await fixture.storedKeys()).toEqual(before);
    expect(await refusal(files.download("move/to.txt"))).toMatchObject({ statusCode: "404", code: "NoSuchKey" });
    const { data: info } = await fixture.staff.storage.from("public").info("arrived.txt");
    expect(info?.id).toBe(uploaded?.id);
    expect(await text((await fixture.staff.storage.from("public").download("arrived.txt")).data)).toBe("cargo");
  });

  test("are not moved or copied onto another object, from or to a missing one, or against a policy", async () => {
    const files = fixture.staff.storage.from("private");
    await files.upload("here.txt", "here");
    await files.upload("there.txt", "there");
    for (const way of ["move", "copy"] as const) {
      expect(await refusal(files[way]("here.txt", "there.txt"))).toMatchObject({ statusCode: "409", code: "KeyAlreadyExists" });
      expect(await refusal(files[way]("nothing.txt", "x.txt"))).toMatchObject({ statusCode: "404", code: "NoSuchKey" });
      expect(await refusal(files[way]("here.txt", "x.txt", { destinationBucket: "nowhere" }))).toMatchObject({ code: "NoSuchBucket" });
      expect(await refusal(files[way]("here.txt", "../x.txt"))).toMatchObject({ statusCode: "400", code: "InvalidKey" });
      expect(await refusal(files[way]("here.txt", "x.txt", { destinationBucket: "pictures" }))).toMatchObject({ code: "InvalidMimeType" });
    }
    expect(await refusal(files.copy("here.txt", "vault/x.txt"))).toMatchObject({ statusCode: "403", code: "AccessDenied" });
    await fixture.admin.storage.from("private").upload("archive/kept.txt", "kept");
    expect(await refusal(files.move("archive/kept.txt", "taken.txt"))).toMatchObject({ statusCode: "403", code: "AccessDenied" });
    expect(await text((await files.download("there.txt")).data)).toBe("there");
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are copied with their own bytes and metadata", async () => {
    const files = fixture.staff.storage.from("private");
    await files.upload("copy/from.txt", "original", { cacheControl: "5", metadata: { by: "us" } });
    expect(await files.copy("copy/from.txt", "copy/to.txt")).toMatchObject({ data: { path: "private/copy/to.txt" }, error: null });
    await files.remove(["copy/from.txt"]);
    expect(await text((await files.download("copy/to.txt")).data)).toBe("original");
    expect((await files.info("copy/to.txt")).data).toMatchObject({ size: 8, cacheControl: "max-age=5", metadata: { by: "us" } });
    await files.copy("copy/to.txt", "copy/other.txt", { copyMetadata: false, metadata: { cacheControl: "no-store" } });
    expect((await files.info("copy/other.txt")).data).toMatchObject({ cacheControl: "no-store", metadata: {} });
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are removed with their bytes by callers whom a policy allows", async () => {
    const files = fixture.staff.storage.from("private");
    for (const name of ["r/1.txt", "r/2.txt", "r/3.txt"]) await files.upload(name, name);
    expect((await fixture.other.storage.from("private").remove(["r/1.txt"])).data).toEqual([]);
    const { data } = await files.remove(["r/1.txt", "r/2.txt", "r/none.txt"]);
    expect(data?.map(({ name }) => name).toSorted()).toEqual(["r/1.txt", "r/2.txt"]);
    expect(data?.[0]).toMatchObject({ bucket_id: "private", metadata: { size: 7 } });
    const headers = { apikey: "sb_publishable_storage_test_key", Authorization: `Bearer ${fixture.staffToken}` };
    const one = await fixture.raw("/object/private/r/3.txt", { method: "DELETE", headers });
    expect([one.status, await one.json()]).toEqual([200, { message: "Successfully deleted" }]);
    const again = await fixture.raw("/object/private/r/3.txt", { method: "DELETE", headers });
    expect([again.status, await again.json()]).toMatchObject([400, { statusCode: "404", code: "NoSuchKey" }]);
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are found by their current version only", async () => {
    const files = fixture.staff.storage.from("private");
    await files.upload("version.txt", "first");
    const versionId = (await files.info("version.txt")).data?.version ?? "";
    const { data: link } = await files.createSignedUrl("version.txt", 60, { versionId });
    const follow = async (): Promise<string> => (await fixture.raw((link?.signedUrl ?? "").replace(/^.*\/storage\/v1/, ""))).text();
    expect(await follow()).toBe("first");
    expect(await text((await files.download("version.txt", { versionId })).data)).toBe("first");
    await files.update("version.txt", "second");
    expect(await follow()).toContain("NoSuchKey");
    const notFound = { statusCode: "404", code: "NoSuchKey" };
    expect(await refusal(files.download("version.txt", { versionId }))).toMatchObject(notFound);
    expect(await refusal(files.info("version.txt", { versionId }))).toMatchObject(notFound);
    expect(await refusal(files.createSignedUrl("version.txt", 60, { versionId }))).toMatchObject(notFound);
    expect(await refusal(files.copy("version.txt", "copied.txt", { sourceVersionId: versionId }))).toMatchObject(notFound);
    expect(await refusal(files.move("version.txt", "moved.txt", { sourceVersionId: versionId }))).toMatchObject(notFound);
    expect((await files.remove([{ path: "version.txt", versionId }])).data).toEqual([]);
    expect((await files.list("", { noncurrentVersions: "only" })).data).toEqual([]);
    expect(await text((await files.download("version.txt")).data)).toBe("second");
  });

  test("are reported as existing or missing", async () => {
    const files = fixture.staff.storage.from("private");
    await files.upload("exists.txt", "yes");
    expect((await files.exists("exists.txt")).data).toBe(true);
    expect((await files.exists("missing.txt")).data).toBe(false);
    expect((await fixture.anon.storage.from("private").exists("exists.txt")).data).toBe(false);
  });
});
