import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../database.ts";
import { noise } from "./picture-fixture.ts";
import { openStorageFixture, PUBLISHABLE_KEY, type StorageFixture } from "./storage-fixture.ts";

// Answers of Supabase Storage that differed.

describeDatabases("the storage API", (open) => {
  let fixture: StorageFixture;
  let headers: Record<string, string>;
  beforeAll(async () => {
    fixture = await openStorageFixture(open);
    headers = { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${fixture.staffToken}` };
  });
  afterAll(() => fixture.close());

  test("answers 503 with Retry-After while no connection to the database is free", async () => {
    await fixture.database.transaction((tx) =>
      tx.script(`create function storage.no_connection() returns trigger language plpgsql as $$ begin raise sqlstate '53300'; end $$;
        create trigger no_connection before insert on storage.objects execute function storage.no_connection()`),
    );
    const response = await fixture.raw("/object/private/away.txt", { method: "POST", headers, body: "text" });
    await fixture.database.transaction((tx) => tx.script("drop function storage.no_connection() cascade"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ statusCode: "503", code: "ServiceUnavailable" });
  });

  test("gives a copy the user metadata of x-metadata", async () => {
    const files = fixture.staff.storage.from("private");
    await files.upload("from.txt", "text", { metadata: { by: "us" } });
    const metadata = Buffer.from(JSON.stringify({ by: "them" })).toString("base64");
    const response = await fixture.raw("/object/copy", {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", "x-metadata": metadata },
      body: JSON.stringify({ bucketId: "private", sourceKey: "from.txt", destinationKey: "to.txt" }),
    });
    expect(response.status).toBe(200);
    expect((await files.info("to.txt")).data?.metadata).toEqual({ by: "them" });
  });

  test("answers object/info with the object's ETag and Last-Modified and with the fields of Supabase only", async () => {
    await fixture.staff.storage.from("public").upload("info.txt", "text");
    const response = await fixture.raw("/object/info/public/public/info.txt");
    const body = await response.json();
    expect(response.headers.get("etag")).toBe(body.etag);
    expect(response.headers.get("last-modified")).toContain("GMT");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect((await fixture.raw("/object/info/public/info.txt", { headers })).headers.get("cache-control")).toBe("no-store");
    expect(Object.keys(body).toSorted()).toEqual(
      [
        "bucket_id",
        "cache_control",
        "content_type",
        "created_at",
        "etag",
        "id",
        "last_modified",
        "metadata",
        "name",
        "size",
        "version",
      ].toSorted(),
    );
  });

  test.each(["/status", "/version"])("answers GET %s with 200", async (path) => {
    expect((await fixture.raw(path)).status).toBe(200);
  });

  test("names transformations as Supabase does, and renders WebP and a PNG with a wrong checksum", async () => {
    const picture = await noise("png", 80, 60);
    const damaged = Uint8Array.from(picture);
    // The checksum of the first chunk, which follows its 8 + 8 + 13 bytes.
    damaged.set([0, 0, 0, 0], 29);
    const files = fixture.admin.storage.from("public");
    await files.upload("whole.png", picture, { contentType: "image/png" });
    await files.upload("damaged.png", damaged, { contentType: "image/png" });
    const render = (name: string, query: string): Promise<Response> => fixture.raw(`/render/image/public/public/${name}?${query}`);
    const named = await render("whole.png", "width=40&height=30&resize=contain&quality=60&format=webp");
    expect(named.headers.get("x-transformations")).toBe("height:30,width:40,resizing_type:fit,quality:60,format:webp");
    expect(named.headers.get("content-type")).toBe("image/webp");
    expect((await render("whole.png", "width=40&format=origin")).headers.get("x-transformations")).toBe("width:40,resizing_type:fill");
    expect((await render("damaged.png", "width=40")).status).toBe(200);
  });

  test("crops to the side, the corner or the focal point that gravity names", async () => {
    const halves = { create: { width: 200, height: 100, channels: 3, background: "#f00" } } as const;
    const right = { input: { create: { width: 100, height: 100, channels: 3, background: "#00f" } }, left: 100, top: 0 } as const;
    const picture = new Uint8Array(await sharp(halves).composite([right]).png().toBuffer());
    await fixture.admin.storage.from("public").upload("halves.png", picture, { contentType: "image/png" });
    const render = (query: string): Promise<Response> =>
      fixture.raw(`/render/image/public/public/halves.png?width=50&height=50&format=origin${query}`);
    /** The colours at the left and the right edge of the rendition. */
    async function edges(query: string): Promise<string[]> {
      const { data, info } = await sharp(await (await render(query)).bytes())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([50, 50]);
      return [0, info.width - 1].map((x) => ((data[3 * x] ?? 0) > (data[3 * x + 2] ?? 0) ? "red" : "blue"));
    }
    expect(await edges("")).toEqual(["red", "blue"]);
    expect(await edges("&gravity=we")).toEqual(["red", "red"]);
    expect(await edges("&gravity=soea")).toEqual(["blue", "blue"]);
    expect(await edges("&gravity=ea&x_offset=0.25")).toEqual(["red", "blue"]);
    expect(await edges("&gravity=we&x_offset=50")).toEqual(["blue", "blue"]);
    expect(await edges("&gravity=fp&x_offset=1&y_offset=0")).toEqual(["blue", "blue"]);
    expect((await render("&gravity=sm")).status).toBe(200);
    expect((await render("&gravity=fp&x_offset=0.5&y_offset=0.5")).headers.get("x-transformations")).toBe(
      "height:50,width:50,resizing_type:fill,gravity:fp:0.5:0.5",
    );
    expect((await render("&gravity=no")).headers.get("x-transformations")).toBe("height:50,width:50,resizing_type:fill,gravity:no");
    expect(await (await render("&gravity=fp&x_offset=2&y_offset=0")).json()).toMatchObject({ code: "InvalidParameter" });
    expect(await (await render("&gravity=up")).json()).toMatchObject({ code: "InvalidRequest" });
    expect(await (await render("&gravity=ea&x_offset=wide")).json()).toMatchObject({ message: "querystring/x_offset must be number" });
  });

  test("describes resumable uploads to OPTIONS, and allows the headers that a browser asks for", async () => {
    const response = await fixture.raw("/upload/resumable", {
      method: "OPTIONS",
      headers: { Origin: "https://site.example", "Access-Control-Request-Headers": "x-upsert,tus-resumable" },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "tus-version": "1.0.0",
      "tus-extension": expect.stringContaining("creation"),
      "tus-max-size": expect.stringMatching(/^\d+$/),
      "access-control-allow-headers": "x-upsert,tus-resumable",
      "access-control-allow-origin": "*",
    });
  });

  test.each([
    ["public", 60 * 1024 * 1024],
    ["pictures", 2001],
  ])("refuses an upload that is too long for bucket %s with the text of Supabase", async (bucket, size) => {
    const metadata = Object.entries({ bucketName: bucket, objectName: "long.png", contentType: "image/png" });
    const response = await fixture.raw("/upload/resumable", {
      method: "POST",
      headers: {
        ...headers,
        "Tus-Resumable": "1.0.0",
        "Upload-Length": String(size),
        "Upload-Metadata": metadata.map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`).join(","),
      },
    });
    expect([response.status, (await response.text()).trim()]).toEqual([413, "Maximum size exceeded"]);
  });

  test("purges the cache of the whole project", async () => {
    const purge = (token: string): Promise<Response> =>
      fixture.raw("/cdn/", { method: "DELETE", headers: { apikey: token, Authorization: `Bearer ${token}` } });
    expect((await purge("sb_secret_storage_test_key_value")).status).toBe(200);
    expect((await purge(PUBLISHABLE_KEY)).status).toBe(403);
  });
});
