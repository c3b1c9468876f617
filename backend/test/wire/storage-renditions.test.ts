import { readdir, readlink } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ByteStore, READ_AT_ONCE } from "../../src/storage/bytes/byte-store.ts";
import { bomb, noise, phonePhoto } from "./picture-fixture.ts";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, refusal, type StorageFixture } from "./storage-fixture.ts";

const BROWSER = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
const BEFORE_AVIF = "image/webp,image/png,image/*;q=0.8";

describePairs("pictures", (open, openBytes, kind) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  /** Called once, between reading the row and reading its bytes. */
  let beforeReading = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const bytes = await openBytes();
    async function read(...parameters: Parameters<ByteStore["read"]>): ReturnType<ByteStore["read"]> {
      const happens = beforeReading;
      beforeReading = () => Promise.resolve();
      await happens();
      return bytes.read(...parameters);
    }
    async function copyToFile(...parameters: Parameters<ByteStore["copyToFile"]>): ReturnType<ByteStore["copyToFile"]> {
      const happens = beforeReading;
      beforeReading = () => Promise.resolve();
      await happens();
      return bytes.copyToFile(...parameters);
    }
    fixture = await openStorageFixture(open, { bytes: { ...bytes, read, copyToFile } });
    await put("phone.jpg", await phonePhoto(), "image/jpeg");
    await put("noise.png", await noise("png"), "image/png");
  });

  async function put(name: string, body: Uint8Array<ArrayBuffer>, contentType: string, bucket = "public"): Promise<void> {
    const { error } = await fixture.admin.storage.from(bucket).upload(name, body, { contentType, upsert: true });
    if (error) throw error;
  }

  async function measures(blob: Blob | null): Promise<{ format: string; width: number; height: number; hasExif: boolean }> {
    if (!blob) throw new Error("nothing was downloaded");
    const { format, width, height, exif } = await sharp(await blob.bytes()).metadata();
    return { format: format === "heif" ? "avif" : format, width, height, hasExif: exif !== undefined };
  }

  function rendered(query: string, accept?: string, name = "phone.jpg"): Promise<Response> {
    return fixture.raw(`/render/image/public/public/${name}?${query}`, accept === undefined ? {} : { headers: { accept } });
  }

  const download = (transform: object, name = "phone.jpg") => fixture.staff.storage.from("public").download(name, { transform });

  test("are rendered upright and without EXIF location, and the stored file is unchanged", async () => {
    const { data } = await download({ width: 300 });
    expect(await measures(data)).toEqual({ format: "jpeg", width: 300, height: 400, hasExif: false });
    const stored = await fixture.staff.storage.from("public").download("phone.jpg");
    expect(await stored.data?.bytes()).toEqual(await phonePhoto());
    expect((await measures(stored.data)).hasExif).toBe(true);
  });

  test.skipIf(process.platform !== "linux")("are described by HEAD without a file left open", async () => {
    const parameters = "width=1200&height=900&quality=100&format=origin";
    expect((await (await rendered(parameters, undefined, "noise.png")).bytes()).length).toBeGreaterThan(READ_AT_ONCE);
    const openFiles = async (): Promise<number> => {
      const links = await Promise.all((await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
      return links.filter((path) => path.includes("/renditions/") || path.includes("/kept/")).length;
    };
    for (let sent = 0; sent < 3; sent += 1) {
      const response = await fixture.raw(`/render/image/public/public/noise.png?${parameters}`, { method: "HEAD" });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    }
    await expect.poll(openFiles).toBe(0);
  });

  test("are answered with 304 if unchanged and rendered again after they are replaced", async () => {
    await put("changing.png", await noise("png", 60, 40), "image/png");
    const first = await rendered("width=30", BROWSER, "changing.png");
    const etag = first.headers.get("etag") ?? "";
    const again = await fixture.raw("/render/image/public/public/changing.png?width=30", {
      headers: { accept: BROWSER, "if-none-match": etag },
    });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
    expect((await rendered("width=30", "*/*", "changing.png")).headers.get("etag")).not.toBe(etag);
    await put("changing.png", await noise("png", 40, 60), "image/png");
    const other = await rendered("width=30", BROWSER, "changing.png");
    expect(other.headers.get("etag")).not.toBe(etag);
    expect(await measures(await other.blob())).toMatchObject({ width: 30, height: 45 });
  });

  test("that are replaced during a request are rendered from the new object", async () => {
    await put("replaced.png", await noise("png", 60, 40), "image/png");
    beforeReading = async () => {
      await put("replaced.png", await noise("png", 40, 60), "image/png");
      await fixture.storage.sweep(new Date(0));
    };
    const { data } = await download({ width: 20 }, "replaced.png");
    expect(await measures(data)).toMatchObject({ width: 20, height: 30 });
  });

  describe("are rendered", () => {
    beforeAll(() => phonePhoto().then((photo) => put("phone.jpg", photo, "image/jpeg", "private")));

    test("at a public URL", async () => {
      const { data } = fixture.anon.storage.from("public").getPublicUrl("phone.jpg", { transform: { width: 60 }, download: "small.jpg" });
      const response = await fixture.storage.fetch(new Request(data.publicUrl));
      expect(response.headers.get("content-disposition")).toContain("small.jpg");
      expect(await measures(await response.blob())).toMatchObject({ width: 60 });
      expect(await refusal(fixture.anon.storage.from("private").download("phone.jpg", { transform: { width: 60 } }))).toMatchObject({
        status: 400,
      });
    });

    test("for a token that may read the object, and for no other", async () => {
      const { data } = await fixture.staff.storage.from("private").download("phone.jpg", { transform: { width: 60 } });
      expect(await measures(data)).toMatchObject({ width: 60 });
      expect((await fixture.raw("/render/image/public/private/phone.jpg?width=60")).status).toBe(400);
    });

    test("at a signed URL, whose size cannot be changed", async () => {
      const files = fixture.staff.storage.from("private");
      const { data } = await files.createSignedUrl("phone.jpg", 60, { transform: { width: 60, height: 60 } });
      const url = data?.signedUrl ?? "";
      expect(url).toContain("/render/image/sign/private/phone.jpg?token=");
      for (const address of [url, `${url}&width=500`]) {
        const response = await fixture.storage.fetch(new Request(address));
        expect(await measures(await response.blob())).toMatchObject({ width: 60, height: 60 });
        expect(response.headers.get("cache-control")).toBeNull();
        expect(Date.parse(response.headers.get("expires") ?? "") - Date.now()).toBeLessThanOrEqual(60_000);
      }
      expect((await fixture.storage.fetch(new Request(url.replace("token=", "token=x")))).status).toBe(400);
    });
  });

  test("that are larger than 25 MB are refused before they are read", async () => {
    await put("large.png", new Uint8Array(Buffer.concat([await noise("png", 10, 10), new Uint8Array(25_000_000)])), "image/png");
    expect(await (await rendered("width=100", BROWSER, "large.png")).json()).toMatchObject({
      statusCode: "422",
      message: expect.stringContaining("25 MB"),
    });
  });

  test("that do not exist are not found", async () => {
    expect(await (await rendered("width=100", BROWSER, "absent.png")).json()).toMatchObject({ statusCode: "404", code: "NoSuchKey" });
  });

  test("in SVG format are sent as downloads and cannot run scripts", async () => {
    await put(
      "drawing.svg",
      new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "image/svg+xml",
    );
    const response = await fixture.raw("/object/public/public/drawing.svg");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
  });

  // The tests below depend on the image worker only, which does not know the database and the place of the bytes.
  if (kind !== "pglite") return;

  test.each([
    [
      { width: 200, height: 100 },
      { width: 200, height: 100 },
    ],
    [
      { width: 200, height: 100, resize: "cover" },
      { width: 200, height: 100 },
    ],
    [
      { width: 200, height: 100, resize: "contain" },
      { width: 75, height: 100 },
    ],
    [
      { width: 200, height: 100, resize: "fill" },
      { width: 200, height: 100 },
    ],
    [{ height: 160 }, { width: 120, height: 160 }],
    [
      { width: 120, resize: "fill" },
      { width: 120, height: 160 },
    ],
    [
      { width: 99_999, height: 99_999, resize: "contain" },
      { width: 1200, height: 1600 },
    ],
    [{ quality: 20 }, { width: 1200, height: 1600 }],
  ])("requested as %j measure %j", async (transform, expected) => {
    expect(await measures((await download(transform)).data)).toMatchObject(expected);
  });

  test("take fewer bytes at a lower quality", async () => {
    const sizes = await Promise.all(
      [20, 100].map(async (quality) => (await download({ width: 400, quality, format: "origin" }, "noise.png")).data?.size),
    );
    expect(sizes[0]).toBeGreaterThan(0);
    expect(sizes[0]).toBe(sizes[1]);
    const [low, high] = await Promise.all(
      [20, 100].map(async (quality) => (await (await rendered(`width=400&quality=${quality}`, BEFORE_AVIF, "noise.png")).bytes()).length),
    );
    expect(low).toBeLessThan((high ?? 0) / 2);
  });

  test.each([
    [BROWSER, "width=200", "image/avif"],
    [BEFORE_AVIF, "width=200", "image/webp"],
    ["image/avif;q=0, image/webp;q=0.0", "width=200", "image/jpeg"],
    ["*/*", "width=200", "image/jpeg"],
    [undefined, "width=200", "image/jpeg"],
    [BROWSER, "width=200&format=origin", "image/jpeg"],
    ["*/*", "width=200&format=avif", "image/avif"],
  ])("for a browser that accepts %s, %s is %s", async (accept, query, type) => {
    const response = await rendered(query, accept);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("vary")).toBe("Accept");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await measures(await response.blob())).toMatchObject({ format: type.replace("image/", ""), width: 200 });
  });

  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)(
    "stored as %s keep their format where no better one is accepted",
    async (format) => {
      await put(`kind.${format}`, await noise(format, 90, 60), `image/${format}`);
      expect(await measures((await download({ width: 30 }, `kind.${format}`)).data)).toMatchObject({ format, width: 30, height: 20 });
    },
  );

  test("are recognised by their content, not by their name or declared type", async () => {
    await put("really-a-png.jpg", await noise("png", 60, 40), "image/jpeg");
    expect(await measures((await download({ width: 30 }, "really-a-png.jpg")).data)).toMatchObject({ format: "png", width: 30 });
  });

  test.each([
    ["width=-1", "querystring/width must be >= 0"],
    ["width=1.5", "querystring/width must be integer"],
    ["width=wide", "querystring/width must be integer"],
    ["height=1e3", "querystring/height must be integer"],
    ["quality=19", "querystring/quality must be >= 20"],
    ["quality=101", "querystring/quality must be <= 100"],
    ["resize=stretch", "querystring/resize must be equal to one of the allowed values"],
    ["format=bmp", "querystring/format must be equal to one of the allowed values"],
  ])("requested as %s are refused", async (query, message) => {
    const response = await rendered(query);
    expect([response.status, await response.json()]).toEqual([400, { statusCode: "400", error: "Error", message, code: "InvalidRequest" }]);
  });

  test.each([
    ["a 200-megapixel bomb", () => bomb(20_000, 10_000), "image/png", "The image has more than 50 million pixels."],
    ["a JPEG that ends too soon", async () => (await noise("jpeg")).subarray(0, 9000), "image/jpeg", "The image is broken."],
    ["a JPEG with a torn head", async () => (await noise("jpeg")).subarray(0, 40), "image/jpeg", "not an image"],
    ["a text with the type of an image", () => new TextEncoder().encode("not an image"), "image/png", "not an image"],
    ["a GIF of nonsense", () => new TextEncoder().encode("GIF89a and nothing else"), "image/gif", "not an image"],
    [
      "an SVG",
      () => new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'),
      "image/svg+xml",
      "not an image",
    ],
    ["an SVG called PNG", () => new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image/png", "not an image"],
    ["a TIFF", () => noise("tiff", 60, 40), "image/tiff", "not an image"],
    ["a page", () => new TextEncoder().encode("<html><script>alert(1)</script></html>"), "text/html", "not an image"],
  ])("that are %s are refused, and the next one is rendered", async (_name, make, type, message) => {
    await put("bad", await make(), type);
    const response = await rendered("width=100", BROWSER, "bad");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      statusCode: "422",
      error: "ImageProcessingError",
      message: expect.stringContaining(message),
      code: "ImageProcessingError",
    });
    expect((await rendered("width=100", BROWSER)).status).toBe(200);
  });
});
