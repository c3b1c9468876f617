import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, refusal, type StorageFixture, URL_BASE } from "./storage-fixture.ts";

const CONTENT = "0123456789".repeat(100);
// More than one chunk.
const LARGE = Buffer.alloc(1_500_000, "Larkfell ");

describePairs("downloads", (open, openBytes) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  let publicPath: string;
  beforeAll(async () => {
    fixture = await openStorageFixture(open, { bytes: await openBytes() });
    const { staff } = fixture;
    await staff.storage.from("public").upload("folder/notes.txt", CONTENT, { cacheControl: "60" });
    await staff.storage.from("public").upload("large.bin", LARGE, { contentType: "application/octet-stream" });
    await staff.storage.from("private").upload("secret.txt", "secret", { contentType: "text/plain" });
    publicPath = new URL(staff.storage.from("public").getPublicUrl("folder/notes.txt").data.publicUrl).pathname.replace("/storage/v1", "");
  });

  test("from a public bucket need no key and declare their type", async () => {
    const response = await fixture.raw(publicPath);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/plain;charset=UTF-8",
      "content-length": "1000",
      "cache-control": "max-age=60",
      "accept-ranges": "bytes",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      "last-modified": expect.stringContaining("GMT"),
    });
    expect(response.headers.has("content-disposition")).toBe(false);
    expect(await response.text()).toBe(CONTENT);
  });

  test("in a flood do not delay other work", async () => {
    let answered = 0;
    const download = async () => {
      expect((await fixture.raw(`/object/public/public/${crypto.randomUUID()}`)).status).toBe(400);
      answered += 1;
    };
    const flood = Array.from({ length: 64 }, download);
    await Promise.race(flood);
    const before = answered;
    await fixture.database.transaction((tx) => tx.query("select"));
    expect(answered - before).toBeLessThan(32);
    await Promise.all(flood);
  });

  test("have no body in a HEAD response", async () => {
    const response = await fixture.raw(publicPath, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "1000", ""]);
  });

  test("of large objects are unchanged", async () => {
    const response = await fixture.raw("/object/public/public/large.bin");
    expect(Buffer.from(await response.arrayBuffer()).equals(LARGE)).toBe(true);
  });

  test.each([
    ["bytes=0-9", 206, "bytes 0-9/1000", "0123456789"],
    ["bytes=995-", 206, "bytes 995-999/1000", "56789"],
    ["bytes=-3", 206, "bytes 997-999/1000", "789"],
    ["bytes=990-5000", 206, "bytes 990-999/1000", "0123456789"],
    ["bytes=0-0,5-5", 200, null, CONTENT],
    ["lines=0-9", 200, null, CONTENT],
    ["bytes=9-0", 416, null, null],
    ["bytes=1000-", 416, null, null],
  ])("of the range %s are answered %i", async (range, status, contentRange, body) => {
    const response = await fixture.raw(publicPath, { headers: { Range: range } });
    expect([response.status, response.headers.get("content-range")]).toEqual([status, contentRange]);
    if (body !== null) {
      expect(response.headers.get("content-length")).toBe(String(body.length));
      expect(await response.text()).toBe(body);
    } else expect(await response.json()).toMatchObject({ statusCode: "416", code: "InvalidRange" });
  });

  test("of a range contain exactly the range", async () => {
    const response = await fixture.raw("/object/public/public/large.bin", { headers: { Range: "bytes=600000-1299999" } });
    expect(Buffer.from(await response.arrayBuffer()).equals(LARGE.subarray(600_000, 1_300_000))).toBe(true);
  });

  test("of a range are complete if the object has changed", async () => {
    const { headers } = await fixture.raw(publicPath, { method: "HEAD" });
    const ask = (condition: string): Promise<Response> =>
      fixture.raw(publicPath, { headers: { Range: "bytes=0-9", "If-Range": condition } });
    expect((await ask(headers.get("etag") ?? "")).status).toBe(206);
    expect((await ask(headers.get("last-modified") ?? "")).status).toBe(206);
    expect((await ask('"another"')).status).toBe(200);
    expect((await ask("Mon, 01 Jan 2001 00:00:00 GMT")).status).toBe(200);
  });

  test("are answered with 304 if the client has the object", async () => {
    const { headers } = await fixture.raw(publicPath, { method: "HEAD" });
    const etag = headers.get("etag") ?? "";
    const modified = headers.get("last-modified") ?? "";
    const ask = async (conditions: Record<string, string>): Promise<number> =>
      (await fixture.raw(publicPath, { headers: conditions })).status;
    expect(await ask({ "If-None-Match": etag })).toBe(304);
    expect(await ask({ "If-None-Match": `W/${etag}, "another"` })).toBe(304);
    expect(await ask({ "If-None-Match": "*" })).toBe(304);
    expect(await ask({ "If-Modified-Since": modified })).toBe(304);
    expect(await ask({ "If-None-Match": '"another"' })).toBe(200);
    expect(await ask({ "If-None-Match": '"another"', "If-Modified-Since": modified })).toBe(200);
    expect(await ask({ "If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT" })).toBe(200);
    expect(await ask({ "If-Modified-Since": "yesterday" })).toBe(200);
  });

  test("have the requested file name", async () => {
    const name = async (download: string | true): Promise<string | null> => {
      const { publicUrl } = fixture.anon.storage.from("public").getPublicUrl("folder/notes.txt", { download }).data;
      return (await fixture.raw(publicUrl.slice(`${URL_BASE}/storage/v1`.length))).headers.get("content-disposition");
    };
    expect(await name(true)).toBe("attachment");
    expect(await name("my notes.txt")).toBe('attachment; filename="my notes.txt"');
    expect(await name("Übersicht €.txt")).toBe("attachment; filename=\"?bersicht ?.txt\"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.txt");
    expect(await name('a"; filename=b.exe\r\nX-Evil: 1')).not.toContain("\n");
  });

  test("from a private bucket are limited to callers whom a policy allows", async () => {
    expect(await (await fixture.staff.storage.from("private").download("secret.txt")).data?.text()).toBe("secret");
    const refused: [path: string, headers: Record<string, string>, expected: object][] = [
      ["/object/public/private/secret.txt", {}, { statusCode: "404", code: "NoSuchBucket" }],
      ["/object/private/secret.txt", {}, { statusCode: "403", code: "AccessDenied" }],
      ["/object/authenticated/private/secret.txt", {}, { statusCode: "400", code: "InvalidRequest" }],
      ["/object/authenticated/private/secret.txt", { apikey: "sb_publishable_storage_test_key" }, { statusCode: "404", code: "NoSuchKey" }],
      ["/object/public/public/none.txt", {}, { statusCode: "404", code: "NoSuchKey" }],
      ["/object/public/nowhere/none.txt", {}, { statusCode: "404", code: "NoSuchBucket" }],
      ["/object/info/public/private/secret.txt", {}, { statusCode: "404", code: "NoSuchBucket" }],
      ["/object/public/public/%2e%2e%2fprivate%2fsecret.txt", {}, { statusCode: "400", code: "InvalidKey" }],
    ];
    for (const [path, headers, expected] of refused) {
      const response = await fixture.raw(path, { headers });
      expect([path, response.status, await response.json()]).toMatchObject([path, 400, expected]);
    }
  });

  test("reflect changes of the object and its bucket at once", async () => {
    const files = fixture.staff.storage.from("public");
    const read = async (): Promise<string> => (await fixture.raw("/object/public/public/news.txt")).text();
    await files.upload("news.txt", "old");
    expect(await read()).toBe("old");
    await files.update("news.txt", "new");
    expect(await read()).toBe("new");
    await files.move("news.txt", "olds.txt");
    expect(await read()).toContain("NoSuchKey");
    await files.move("olds.txt", "news.txt");
    expect(await read()).toBe("new");
    await fixture.admin.storage.updateBucket("public", { public: false });
    expect(await read()).toContain("NoSuchBucket");
    await fixture.admin.storage.updateBucket("public", { public: true });
    expect(await read()).toBe("new");
    await files.remove(["news.txt"]);
    expect(await read()).toContain("NoSuchKey");
  });

  test("continue while the object is replaced, and never mix two versions", async () => {
    const files = fixture.staff.storage.from("public");
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(700_000));
    await files.upload("churn.txt", contents[0] ?? "");
    const reads = Array.from({ length: 12 }, async () => (await fixture.raw("/object/public/public/churn.txt")).text());
    const writes = contents.map((content) => files.update("churn.txt", content));
    await Promise.all(writes);
    for (const body of await Promise.all(reads)) expect(contents).toContain(body);
  });

  describe("of types that a browser would run", () => {
    test.each([
      ["page.html", "<!doctype html><script>alert(1)</script>", "text/html"],
      ["drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "image/svg+xml"],
      ["data.xml", '<?xml version="1.0"?><x/>', "application/xml"],
      ["page.xhtml", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "application/xhtml+xml"],
    ])("are files to keep, in a sandbox: %s", async (name, body, type) => {
      await fixture.staff.storage.from("public").upload(name, body, { contentType: type });
      const { headers } = await fixture.raw(`/object/public/public/${name}`);
      expect(headers.get("content-disposition")).toBe("attachment");
      expect(headers.get("content-security-policy")).toMatch(/^sandbox;/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    });

    test("every object is in a sandbox but a PDF, and only an allow-list of types is shown", async () => {
      const types: Record<string, readonly [attachment: string | null, sandbox: boolean]> = {
        "text/plain": [null, true],
        "application/json": [null, true],
        "application/pdf": [null, false],
        "text/xsl": ["attachment", true],
        "text/rdf": ["attachment", true],
        "multipart/x-mixed-replace": ["attachment", true],
        "application/octet-stream": ["attachment", true],
        "text/javascript": ["attachment", true],
      };
      for (const [type, [attachment, isSandboxed]] of Object.entries(types)) {
        const body = type === "application/pdf" ? "%PDF-1.7\n%%EOF\n" : "text";
        await fixture.staff.storage.from("public").upload("typed", body, { contentType: type, upsert: true });
        const { headers } = await fixture.raw("/object/public/public/typed");
        const isInSandbox = headers.get("content-security-policy") === "sandbox; default-src 'none'; style-src 'unsafe-inline'";
        expect([type, headers.get("content-disposition"), isInSandbox]).toEqual([type, attachment, isSandboxed]);
      }
    });

    test.each([
      ["code.js", "text/javascript"],
      ["code.mjs", "application/javascript; charset=utf-8"],
      ["looks.css", "text/css"],
    ])("cannot be loaded as scripts or styles by our pages: %s", async (name, type) => {
      await fixture.staff.storage.from("public").upload(name, "x", { contentType: type });
      expect((await fixture.raw(`/object/public/public/${name}`)).headers.get("content-type")).toBe("text/plain; charset=utf-8");
    });
  });

  describe("by signed URL", () => {
    const path = (url: string | undefined): string => (url ?? "").slice(`${URL_BASE}/storage/v1`.length);

    test("need only the URL, until it expires", async () => {
      const { data } = await fixture.staff.storage.from("private").createSignedUrl("secret.txt", 60, { download: "s.txt" });
      const response = await fixture.raw(path(data?.signedUrl));
      expect([response.status, await response.text()]).toEqual([200, "secret"]);
      expect(response.headers.get("content-disposition")).toBe("attachment; filename=s.txt");
      expect(Date.parse(response.headers.get("expires") ?? "") - Date.now()).toBeLessThanOrEqual(60_000);
      expect(response.headers.has("cache-control")).toBe(false);
    });

    test("are offered for several objects at once, each with its own result", async () => {
      const { data } = await fixture.staff.storage.from("private").createSignedUrls(["secret.txt", "none.txt"], 60);
      expect(data).toMatchObject([
        { path: "secret.txt", error: null },
        { path: "none.txt", error: "Either the object does not exist or you do not have access to it", signedURL: null },
      ]);
      expect(await (await fixture.raw(path(data?.[0]?.signedUrl ?? undefined))).text()).toBe("secret");
    });

    test("are refused to callers who may not read the object", async () => {
      expect(await refusal(fixture.anon.storage.from("private").createSignedUrl("secret.txt", 60))).toMatchObject({ code: "NoSuchKey" });
      expect(await refusal(fixture.staff.storage.from("private").createSignedUrl("secret.txt", 0))).toMatchObject({
        code: "InvalidRequest",
      });
    });

    test("give access to nothing else", async () => {
      const { data } = await fixture.staff.storage.from("private").createSignedUrl("secret.txt", 60);
      const token = new URL(data?.signedUrl ?? "").searchParams.get("token") ?? "";
      const { data: writing } = await fixture.staff.storage.from("private").createSignedUploadUrl("secret2.txt");
      const expired = await fixture.jwt.sign({ scope: "download", url: "private/secret.txt", exp: Math.floor(Date.now() / 1000) - 10 });
      const refused: [path: string, init: RequestInit, expected: object][] = [
        [`/object/sign/public/folder/notes.txt?token=${token}`, {}, { code: "InvalidSignature" }],
        [`/object/upload/sign/private/secret.txt?token=${token}`, { method: "PUT", body: "x" }, { code: "InvalidSignature" }],
        [`/object/sign/private/secret2.txt?token=${writing?.token}`, {}, { code: "InvalidSignature" }],
        [`/object/sign/private/secret.txt?token=${fixture.staffToken}`, {}, { code: "InvalidSignature" }],
        [`/object/sign/private/secret.txt?token=${expired}`, {}, { code: "InvalidJWT" }],
        [`/object/sign/private/secret.txt?token=nonsense`, {}, { code: "InvalidJWT" }],
        [`/object/sign/private/secret.txt`, {}, { code: "InvalidRequest" }],
      ];
      for (const [at, init, expected] of refused) {
        const response = await fixture.raw(at, init);
        expect([at, response.status, await response.json()]).toMatchObject([at, 400, { statusCode: expect.any(String), ...expected }]);
      }
      // As a bearer token it names no role, so its holder is anonymous.
      const bearer = { headers: { Authorization: `Bearer ${token}` } };
      expect(await (await fixture.raw("/bucket", bearer)).json()).toEqual([]);
      expect(await (await fixture.raw("/object/private/secret.txt", bearer)).json()).toMatchObject({ code: "NoSuchKey" });
    });
  });

  describe("and uploads by signed URL", () => {
    test("belong to the caller who created the URL", async () => {
      const files = fixture.staff.storage.from("private");
      const { data } = await files.createSignedUploadUrl("from/outside.txt");
      expect(data).toMatchObject({ path: "from/outside.txt", token: expect.any(String) });
      const sent = await fixture.anon.storage.from("private").uploadToSignedUrl("from/outside.txt", data?.token ?? "", "sent");
      expect(sent).toMatchObject({ data: { path: "from/outside.txt", fullPath: "private/from/outside.txt" }, error: null });
      expect(await (await files.download("from/outside.txt")).data?.text()).toBe("sent");
      expect(
        await refusal(fixture.anon.storage.from("private").uploadToSignedUrl("from/outside.txt", data?.token ?? "", "again")),
      ).toMatchObject({ code: "KeyAlreadyExists" });
      expect((await files.remove(["from/outside.txt"])).data).toHaveLength(1);
    });

    test("replace an object only if the URL allows it", async () => {
      const files = fixture.staff.storage.from("private");
      await files.upload("from/again.txt", "one");
      expect(await refusal(files.createSignedUploadUrl("from/again.txt"))).toMatchObject({ code: "KeyAlreadyExists" });
      const { data } = await files.createSignedUploadUrl("from/again.txt", { upsert: true });
      expect((await fixture.anon.storage.from("private").uploadToSignedUrl("from/again.txt", data?.token ?? "", "two")).error).toBeNull();
      expect(await (await files.download("from/again.txt")).data?.text()).toBe("two");
    });

    test("are refused to callers who may not upload", async () => {
      expect(await refusal(fixture.staff.storage.from("private").createSignedUploadUrl("vault/x.txt"))).toMatchObject({
        statusCode: "403",
      });
      expect(await refusal(fixture.anon.storage.from("private").createSignedUploadUrl("x.txt"))).toMatchObject({ statusCode: "403" });
    });
  });
});
