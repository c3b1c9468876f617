import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { beforeAll, expect, test, afterAll } from "vitest";
import { Upload, type UploadOptions } from "tus-js-client";
import { serveHttp, type TestHttpServer } from "../http-server.ts";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, PUBLISHABLE_KEY, type StorageFixture, USER_ID } from "./storage-fixture.ts";

const CHUNK = 6 * 1024 * 1024;
const ENDPOINT = "/storage/v1/upload/resumable";

describePairs("resumable uploads", (open, openBytes) => {
  let fixture: StorageFixture;
  let http: TestHttpServer;
  let url: string;
  afterAll(async () => {
    await http.close();
    await fixture.close();
  });
  beforeAll(async () => {
    fixture = await openStorageFixture(open, { bytes: await openBytes() });
    http = await serveHttp(fixture.storage.fetch);
    url = http.url;
  });

  /** Uploads as in Supabase's documentation; returns the URL of the upload. */
  function upload(
    body: Buffer,
    metadata: Record<string, string>,
    options: UploadOptions = {},
    token = fixture.staffToken,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const sending = new Upload(body, {
        endpoint: url + ENDPOINT,
        chunkSize: CHUNK,
        retryDelays: null,
        headers: { authorization: `Bearer ${token}`, apikey: PUBLISHABLE_KEY },
        metadata,
        onError: reject,
        onSuccess: () => resolve(sending.url ?? ""),
        ...options,
      });
      sending.start();
    });
  }

  const headers = (more: Record<string, string> = {}): Record<string, string> => ({
    Authorization: `Bearer ${fixture.staffToken}`,
    "Tus-Resumable": "1.0.0",
    ...more,
  });
  const metadataHeader = (values: Record<string, string>): string =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
      .join(",");
  async function begin(size: number, values: Record<string, string>, more: Record<string, string> = {}): Promise<Response> {
    return fetch(url + ENDPOINT, {
      method: "POST",
      headers: headers({ "Upload-Length": String(size), "Upload-Metadata": metadataHeader(values), ...more }),
    });
  }
  const offsetOf = async (address: string): Promise<number> =>
    Number((await fetch(address, { method: "HEAD", headers: headers() })).headers.get("upload-offset"));
  const send = (address: string, offset: number, body: Buffer, more: Record<string, string> = {}): Promise<Response> =>
    fetch(address, {
      method: "PATCH",
      headers: headers({ "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream", ...more }),
      body: Uint8Array.from(body),
    });
  async function stored(bucket: string, name: string): Promise<Buffer> {
    const { data, error } = await fixture.admin.storage.from(bucket).download(name);
    if (error) throw error;
    return Buffer.from(await data.arrayBuffer());
  }

  test("of several chunks become one complete object and leave no part", async () => {
    const body = randomBytes(2 * CHUNK + 12_345);
    await upload(body, { bucketName: "private", objectName: "tus/large.bin", cacheControl: "60", metadata: '{"from":"phone"}' });
    expect((await stored("private", "tus/large.bin")).equals(body)).toBe(true);
    const { data } = await fixture.staff.storage.from("private").info("tus/large.bin");
    expect(data).toMatchObject({
      size: body.length,
      cacheControl: "max-age=60",
      metadata: { from: "phone" },
      contentType: "application/octet-stream",
    });
    const [row] = await fixture.database.transaction((tx) => tx.query("select owner_id from storage.objects where name = 'tus/large.bin'"));
    expect(row).toEqual({ owner_id: USER_ID });
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("continue after a lost connection, also within a chunk", async () => {
    const body = randomBytes(3_000_000);
    const { headers: answered } = await begin(body.length, { bucketName: "private", objectName: "tus/cut.bin" });
    const address = new URL(answered.get("location") ?? "", url).href;
    await new Promise<void>((resolve) => {
      const cut = request(address, {
        method: "PATCH",
        headers: headers({
          "Upload-Offset": "0",
          "Content-Type": "application/offset+octet-stream",
          "Content-Length": String(body.length),
        }),
      });
      cut.on("error", () => resolve());
      cut.write(body.subarray(0, 2_000_000), () => setTimeout(() => cut.destroy(), 100));
    });
    let offset = 0;
    await expect.poll(async () => (offset = await offsetOf(address))).toBeGreaterThan(0);
    expect(offset).toBeLessThan(body.length);
    expect((await send(address, offset, body.subarray(offset))).status).toBe(204);
    expect((await stored("private", "tus/cut.bin")).equals(body)).toBe(true);
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("report that they are complete to a client that missed the response", async () => {
    const body = randomBytes(1000);
    const address = await upload(body, { bucketName: "private", objectName: "tus/done.bin" });
    expect(await offsetOf(address)).toBe(1000);
    expect((await send(address, 900, body.subarray(900))).status).toBe(409);
    expect((await stored("private", "tus/done.bin")).equals(body)).toBe(true);
  });

  test("of one upload from two clients at the same time are not mixed", async () => {
    const body = randomBytes(200_000);
    const { headers: answered } = await begin(body.length, { bucketName: "private", objectName: "tus/two.bin" });
    const address = new URL(answered.get("location") ?? "", url).href;
    const half = body.subarray(0, 100_000);
    const answers = await Promise.all([send(address, 0, half), send(address, 0, half)]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    // The later request may have ended the earlier one before all its bytes arrived.
    const offset = await offsetOf(address);
    await send(address, offset, body.subarray(offset));
    expect((await stored("private", "tus/two.bin")).equals(body)).toBe(true);
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are refused before the first byte if they would be refused at the end", async () => {
    const refused: [size: number, metadata: Record<string, string>, status: number, more?: Record<string, string>][] = [
      [10, { bucketName: "private", objectName: "vault/x.bin" }, 403],
      [10, { bucketName: "nowhere", objectName: "x.bin" }, 404],
      [10, { bucketName: "private", objectName: "../x.bin" }, 400],
      [10, { bucketName: "private" }, 400],
      [0, { bucketName: "private", objectName: "x.bin" }, 400],
      [2001, { bucketName: "pictures", objectName: "x.png" }, 413],
      [60 * 1024 * 1024, { bucketName: "private", objectName: "x.bin" }, 413],
      [10, { bucketName: "pictures", objectName: "x.txt", contentType: "text/plain" }, 415],
      [10, { bucketName: "private", objectName: "x.bin", metadata: "no json" }, 400],
    ];
    for (const [size, metadata, status, more] of refused) {
      expect([metadata, (await begin(size, metadata, more)).status]).toEqual([metadata, status]);
    }
    const anonymous = await begin(10, { bucketName: "private", objectName: "x.bin" }, { Authorization: `Bearer ${PUBLISHABLE_KEY}` });
    expect(anonymous.status).toBe(403);
    const nobody = await begin(10, { bucketName: "private", objectName: "x.bin" }, { Authorization: "" });
    expect([nobody.status, await nobody.json()]).toMatchObject([400, { code: "InvalidRequest" }]);
    const rows = await fixture.database.transaction((tx) => tx.query("select from storage.resumable_uploads where size <= 10"));
    expect(rows).toEqual([]);
  });

  test("are checked again at the end, and store nothing if the permission was revoked", async () => {
    const body = randomBytes(1000);
    const { headers: answered } = await begin(body.length, { bucketName: "private", objectName: "tus/late.bin" });
    const address = new URL(answered.get("location") ?? "", url).href;
    await send(address, 0, body.subarray(0, 500));
    await fixture.admin.storage.from("private").upload("tus/late.bin", "somebody was quicker");
    expect((await send(address, 500, body.subarray(500))).status).toBe(409);
    expect((await stored("private", "tus/late.bin")).toString()).toBe("somebody was quicker");
    expect((await fetch(address, { method: "DELETE", headers: headers() })).status).toBe(204);
    expect((await fetch(address, { method: "HEAD", headers: headers() })).status).toBe(404);
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
  });

  test("are checked by their actual type and size", async () => {
    const page = Buffer.from("<html><script>alert(1)</script></html>");
    const metadata = { bucketName: "pictures", objectName: "lie.png", contentType: "image/png" };
    await expect(upload(page, metadata)).rejects.toThrow(/415/);
  });

  test("replace an object only with upsert", async () => {
    await fixture.staff.storage.from("private").upload("tus/again.txt", "one");
    const metadata = { bucketName: "private", objectName: "tus/again.txt", contentType: "text/plain" };
    await expect(upload(Buffer.from("two"), metadata)).rejects.toThrow(/409/);
    await upload(Buffer.from("two"), metadata, {
      headers: { authorization: `Bearer ${fixture.staffToken}`, "x-upsert": "true" },
    });
    expect((await stored("private", "tus/again.txt")).toString()).toBe("two");
  });

  test("belong to the caller who created them", async () => {
    const { headers: answered } = await begin(10, { bucketName: "private", objectName: "tus/mine.bin" });
    const address = new URL(answered.get("location") ?? "", url).href;
    const other = { Authorization: `Bearer ${await tokenOfOther()}` };
    expect((await send(address, 0, randomBytes(10), other)).status).toBe(403);
    expect((await fetch(address, { method: "HEAD", headers: headers(other) })).status).toBe(403);
    expect((await fetch(address, { method: "DELETE", headers: headers(other) })).status).toBe(403);
    expect((await fetch(`${url}${ENDPOINT}/..%2f..`, { method: "HEAD", headers: headers() })).ok).toBe(false);
    expect((await fetch(`${url}${ENDPOINT}/${crypto.randomUUID()}`, { method: "HEAD", headers: headers() })).status).toBe(404);
  });

  test("work with a signed URL for its object only", async () => {
    const { data } = await fixture.staff.storage.from("private").createSignedUploadUrl("tus/linked.bin");
    const endpoint = `${url}${ENDPOINT}/sign`;
    const body = randomBytes(1000);
    const signed = { "x-signature": data?.token ?? "" };
    await upload(body, { bucketName: "private", objectName: "tus/linked.bin" }, { endpoint, headers: signed });
    expect((await stored("private", "tus/linked.bin")).equals(body)).toBe(true);
    expect((await fixture.staff.storage.from("private").remove(["tus/linked.bin"])).data).toHaveLength(1);
    await expect(upload(body, { bucketName: "private", objectName: "tus/elsewhere.bin" }, { endpoint, headers: signed })).rejects.toThrow(
      /400/,
    );
  });

  test("that are abandoned are deleted by the sweep", async () => {
    const { headers: answered } = await begin(10, { bucketName: "private", objectName: "tus/expired.bin" });
    const address = new URL(answered.get("location") ?? "", url).href;
    expect(Date.parse(answered.get("upload-expires") ?? "")).toBeGreaterThan(Date.now());
    await send(address, 0, randomBytes(5));
    expect(await fixture.storedKeys()).not.toEqual(await fixture.versions());
    await fixture.database.transaction((tx) => tx.query("update storage.resumable_uploads set expires_at = now() - interval '1 minute'"));
    expect(await fixture.storedKeys()).toEqual(await fixture.versions());
    expect((await fetch(address, { method: "HEAD", headers: headers() })).status).toBe(404);
  });

  function tokenOfOther(): Promise<string> {
    return fixture.jwt.sign({ sub: crypto.randomUUID(), role: "authenticated", exp: Math.floor(Date.now() / 1000) + 3600 });
  }
});
