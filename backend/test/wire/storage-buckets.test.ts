import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storageSchema } from "../../src/config/storage.ts";
import { describeDatabases } from "../database.ts";
import { openStorageFixture, PUBLISHABLE_KEY, refusal, type StorageFixture } from "./storage-fixture.ts";

describeDatabases("buckets", (open) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  beforeAll(async () => {
    fixture = await openStorageFixture(open);
  });

  test("are created, read, changed and removed by the service role", async () => {
    const { storage } = fixture.admin;
    expect(await storage.createBucket("photos", { public: false, fileSizeLimit: "20mb", allowedMimeTypes: ["image/png"] })).toMatchObject({
      data: { name: "photos" },
      error: null,
    });
    const { data: bucket } = await storage.getBucket("photos");
    expect(bucket).toEqual({
      id: "photos",
      name: "photos",
      owner: "",
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ["image/png"],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await storage.updateBucket("photos", { public: true })).toMatchObject({ data: { message: "Successfully updated" } });
    expect((await storage.getBucket("photos")).data).toMatchObject({ public: true, file_size_limit: 20_000_000 });
    await storage.updateBucket("photos", { public: true, fileSizeLimit: null, allowedMimeTypes: null });
    expect((await storage.getBucket("photos")).data).toMatchObject({ file_size_limit: null, allowed_mime_types: null });
    expect(await storage.deleteBucket("photos")).toMatchObject({ data: { message: "Successfully deleted" } });
    expect(await refusal(storage.getBucket("photos"))).toMatchObject({ statusCode: "404" });
  });

  test("are listed in the requested order and range", async () => {
    const { storage } = fixture.admin;
    const names = async (...args: Parameters<typeof storage.listBuckets>): Promise<string[]> =>
      ((await storage.listBuckets(...args)).data ?? []).map(({ name }) => name);
    expect(await names()).toEqual(["pictures", "private", "public"]);
    expect(await names({ sortColumn: "name", sortOrder: "desc" })).toEqual(["public", "private", "pictures"]);
    expect(await names({ limit: 1, offset: 1 })).toEqual(["private"]);
    expect(await names({ search: "PIC" })).toEqual(["pictures"]);
    const [first] = (await storage.listBuckets()).data ?? [];
    expect(Object.keys(first ?? {}).toSorted()).toEqual([
      "allowed_mime_types",
      "created_at",
      "file_size_limit",
      "id",
      "name",
      "owner",
      "public",
      "type",
      "updated_at",
    ]);
    expect(first).toMatchObject({ type: "STANDARD" });
  });

  test.each([["limit=0"], ["offset=-1"], ["limit=many"], ["sortColumn=owner"]])("are not listed with %s", async (query) => {
    const response = await fixture.raw(`/bucket?${query}`, { headers: { apikey: PUBLISHABLE_KEY } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: "400", error: "Error", code: "InvalidRequest" });
  });

  test("are hidden from callers without a policy that shows them", async () => {
    expect(await fixture.anon.storage.listBuckets()).toEqual({ data: [], error: null });
    expect(await refusal(fixture.anon.storage.getBucket("public"))).toEqual({
      status: 400,
      statusCode: "404",
      message: "Bucket not found",
      code: "NoSuchBucket",
    });
    expect((await fixture.staff.storage.listBuckets()).data).toHaveLength(3);
  });

  test("are not created, changed, removed or emptied by callers without a policy that allows it", async () => {
    const { storage } = fixture.staff;
    expect(await refusal(storage.createBucket("mine"))).toEqual({
      status: 400,
      statusCode: "403",
      message: "new row violates row-level security policy",
      code: "AccessDenied",
    });
    expect(await refusal(storage.updateBucket("private", { public: true }))).toMatchObject({ statusCode: "403", code: "AccessDenied" });
    expect(await refusal(storage.deleteBucket("private"))).toMatchObject({ statusCode: "403", code: "AccessDenied" });
    expect(await refusal(storage.emptyBucket("private"))).toEqual({
      status: 403,
      statusCode: "403",
      message: "Access denied: Invalid role",
      code: "AccessDenied",
    });
    expect((await fixture.admin.storage.getBucket("private")).data).toMatchObject({ public: false });
  });

  test("are not created twice", async () => {
    expect(await refusal(fixture.admin.storage.createBucket("public"))).toEqual({
      status: 400,
      statusCode: "409",
      message: "The resource already exists",
      code: "BucketAlreadyExists",
    });
  });

  test.each([["a/b"], [" edge"], ["x".repeat(101)], [""], [".."], ["nul\0"]])("are not called %j", async (name) => {
    expect(await refusal(fixture.admin.storage.createBucket(name))).toEqual({
      status: 400,
      statusCode: "400",
      message: "Bucket name invalid",
      code: "InvalidBucketName",
    });
  });

  test("refuse a size limit that is not a size", async () => {
    expect(await refusal(fixture.admin.storage.createBucket("large", { public: false, fileSizeLimit: "20 apples" }))).toMatchObject({
      statusCode: "400",
      code: "InvalidRequest",
    });
  });

  test("can be emptied, and are removed only when empty", async () => {
    const { storage } = fixture.admin;
    await storage.createBucket("crate");
    await storage.from("crate").upload("a.txt", "a");
    expect(await refusal(storage.deleteBucket("crate"))).toEqual({
      status: 400,
      statusCode: "409",
      message: "The bucket you tried to delete is not empty",
      code: "ResourceNotEmpty",
    });
    const emptied = { data: { message: "Empty bucket has been queued. Completion may take up to an hour." }, error: null };
    expect(await storage.emptyBucket("crate")).toEqual(emptied);
    expect(await storage.emptyBucket("crate")).toEqual(emptied);
    expect(await fixture.storedKeys()).toEqual([]);
    expect(await storage.deleteBucket("crate")).toMatchObject({ error: null });
    expect(await refusal(storage.emptyBucket("crate"))).toMatchObject({ statusCode: "404", message: "Bucket not found" });
  });

  test("in config.toml exist from the start and are updated at each start", async () => {
    const database = await open();
    const named = async (settings: object): Promise<unknown> => {
      const { admin, close } = await openStorageFixture(() => Promise.resolve(database), {
        config: storageSchema.parse({ buckets: { named: settings } }),
      });
      const { data } = await admin.storage.getBucket("named");
      await close();
      return data;
    };
    expect(await named({ public: true, file_size_limit: "1MiB" })).toMatchObject({
      public: true,
      file_size_limit: 1_048_576,
      allowed_mime_types: null,
    });
    expect(await named({ allowed_mime_types: ["image/*"] })).toMatchObject({
      public: false,
      file_size_limit: null,
      allowed_mime_types: ["image/*"],
    });
  });

  test("refuse versioning and lifecycle rules", async () => {
    const { storage } = fixture.admin;
    const refused = { statusCode: "409", code: "FeatureNotEnabled" };
    expect(await refusal(storage.createBucket("versions", { public: false, versioningStatus: "ENABLED" }))).toMatchObject(refused);
    expect(await refusal(storage.updateBucket("public", { public: true, versioningStatus: "ENABLED" }))).toMatchObject(refused);
    expect(await refusal(storage.getBucketLifecycle("public"))).toMatchObject(refused);
    expect(await refusal(storage.updateBucketLifecycle("public", { rules: [] }))).toMatchObject(refused);
    expect(await refusal(storage.deleteBucketLifecycle("public"))).toMatchObject(refused);
  });

  test("accept requests to purge their cache", async () => {
    expect(await fixture.admin.storage.purgeBucketCache("public")).toEqual({ data: { message: "success" }, error: null });
    expect(await fixture.admin.storage.from("public").purgeCache("a.txt")).toEqual({ data: { message: "success" }, error: null });
    expect(await refusal(fixture.staff.storage.purgeBucketCache("public"))).toMatchObject({ status: 403, statusCode: "403" });
  });

  test("can be requested from pages of any origin", async () => {
    const requested = {
      Origin: "https://elsewhere.example",
      "Access-Control-Request-Method": "PATCH",
      "Access-Control-Request-Headers": "tus-resumable",
    };
    const preflight = await fixture.raw("/upload/resumable/x", { method: "OPTIONS", headers: requested });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "tus-resumable"]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    for (const headers of [{ apikey: PUBLISHABLE_KEY }, undefined]) {
      const response = await fixture.raw("/bucket", headers ? { headers } : {});
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  describe("respond with errors in Storage's format", () => {
    test("to a caller without credentials", async () => {
      const response = await fixture.raw("/bucket");
      expect([response.status, await response.json()]).toEqual([
        400,
        { statusCode: "400", error: "Error", message: "headers must have required property 'authorization'", code: "InvalidRequest" },
      ]);
    });

    test("to a caller with an invalid token", async () => {
      const response = await fixture.raw("/bucket", { headers: { Authorization: "Bearer nonsense" } });
      expect([response.status, await response.json()]).toEqual([
        400,
        { statusCode: "403", error: "Unauthorized", message: "Invalid Compact JWS", code: "AccessDenied" },
      ]);
    });

    test("to an update without changes", async () => {
      const response = await fixture.raw("/bucket/public", {
        method: "PUT",
        headers: { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json" },
        body: "{}",
      });
      const body = await response.json();
      expect([response.status, body]).toMatchObject([400, { statusCode: "400", error: "Error", code: "InvalidRequest" }]);
      for (const name of ["public", "file_size_limit", "allowed_mime_types"]) expect(body.message).toContain(name);
    });

    test("to a request for a missing bucket", async () => {
      const response = await fixture.raw("/cellar");
      expect([response.status, await response.json()]).toMatchObject([400, { statusCode: "400", code: "InvalidRequest" }]);
    });
  });

  test("cannot be deleted in SQL", async () => {
    await expect(fixture.database.transaction((tx) => tx.query("delete from storage.buckets"))).rejects.toMatchObject({ code: "42501" });
    await expect(fixture.database.transaction((tx) => tx.query("delete from storage.objects"))).rejects.toMatchObject({ code: "42501" });
  });
});
