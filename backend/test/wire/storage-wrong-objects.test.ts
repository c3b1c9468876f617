import { afterAll, beforeAll, expect, test } from "vitest";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, refusal, type StorageFixture } from "./storage-fixture.ts";

const PNG = Uint8Array.fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

describePairs("invalid objects", (open, openBytes) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  beforeAll(async () => {
    fixture = await openStorageFixture(open, { bytes: await openBytes() });
  });
  const text = async (blob: Blob | null): Promise<string | undefined> => blob?.text();

  const wrong: [what: string, bucket: string, name: string, body: string, type: string, expected: object][] = [
    ["without a byte", "private", "empty.txt", "", "text/plain", { statusCode: "400", code: "InvalidRequest" }],
    [
      "one byte over the limit",
      "pictures",
      "large.pdf",
      `%PDF-1.4${"x".repeat(1993)}`,
      "application/pdf",
      { statusCode: "413", code: "EntityTooLarge" },
    ],
    ["of a type that is not allowed", "pictures", "a.txt", "text", "text/plain", { statusCode: "415", code: "InvalidMimeType" }],
    [
      "with a type that the bytes contradict",
      "pictures",
      "page.png",
      "<html><script>alert(1)</script>",
      "image/png",
      { statusCode: "415", code: "InvalidMimeType" },
    ],
    [
      "with a name that leads out of the bucket",
      "private",
      "a/../../b.txt",
      "text",
      "text/plain",
      { statusCode: "400", code: "InvalidKey" },
    ],
    [
      "with a name that leads out of the bucket on Windows",
      "private",
      "a\\..\\b.txt",
      "text",
      "text/plain",
      { statusCode: "400", code: "InvalidKey" },
    ],
    ["with a name with a zero byte", "private", "a\0b.txt", "text", "text/plain", { statusCode: "400", code: "InvalidKey" }],
    ["with a name of 1,025 characters", "private", "n".repeat(1025), "text", "text/plain", { statusCode: "400", code: "InvalidKey" }],
    [
      "with a name of 1,024 characters of three bytes",
      "private",
      "丘".repeat(1024),
      "text",
      "text/plain",
      { statusCode: "400", code: "InvalidKey" },
    ],
  ];

  test.each(wrong)("%s are refused and store nothing", async (_, bucket, name, body, type, expected) => {
    const before = [await fixture.storedKeys(), await fixture.versions()];
    const headers = { apikey: "sb_publishable_storage_test_key", Authorization: `Bearer ${fixture.staffToken}` };
    const path = name.split("/").map(encodeURIComponent).join("%2F");
    const form = new FormData();
    form.append("cacheControl", "3600");
    form.append("", new Blob([body], { type }));
    for (const init of [
      { body, headers: { ...headers, "Content-Type": type } },
      { body: form, headers },
    ]) {
      const response = await fixture.raw(`/object/${bucket}/${path}`, { method: "POST", ...init });
      expect([response.status, await response.json()]).toMatchObject([400, expected]);
    }
    expect([await fixture.storedKeys(), await fixture.versions()]).toEqual(before);
  });

  test("with an invalid type are refused", async () => {
    const files = fixture.staff.storage.from("private");
    expect(await refusal(files.upload("a.txt", "text", { contentType: "text\u00e9" }))).toMatchObject({ code: "InvalidMimeType" });
  });

  test("with a misleading extension keep their declared type", async () => {
    const files = fixture.staff.storage.from("pictures");
    await files.upload("really-a-png.jpg", PNG, { contentType: "image/jpeg" });
    expect((await files.info("really-a-png.jpg")).data).toMatchObject({ contentType: "image/png" });
    const anywhere = fixture.staff.storage.from("private");
    await anywhere.upload("no-picture.png", "just text", { contentType: "image/png" });
    expect((await anywhere.info("no-picture.png")).data).toMatchObject({ contentType: "application/octet-stream" });
    await anywhere.upload("drawing.txt", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', { contentType: "text/plain" });
    expect((await anywhere.info("drawing.txt")).data).toMatchObject({ contentType: "image/svg+xml" });
  });

  test.each([["n".repeat(1024)], ["Ärger & Öl/日本語 (1).txt"], ["👩‍🚒.txt"], ["a+b=c;d,e@f.txt"], ["100%.txt"], ["..hidden/...txt"]])(
    "that only look invalid are stored: %s",
    async (name) => {
      const files = fixture.staff.storage.from("private");
      expect((await files.upload(name, "kept")).error).toBeNull();
      const { data } = await files.list(name.split("/").slice(0, -1).join("/"), { search: name.split("/").at(-1) ?? "" });
      expect(data).toHaveLength(1);
      expect(await text((await files.download(name)).data)).toBe("kept");
      expect((await files.remove([name])).data).toHaveLength(1);
    },
  );

  test("from a sender that disconnects store nothing", async () => {
    const before = [await fixture.storedKeys(), await fixture.versions()];
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(200_000));
      },
      // Called when the first bytes have been read.
      pull: (controller) => controller.error(new Error("the connection is lost")),
    });
    const { error } = await fixture.staff.storage.from("private").upload("cut.bin", body);
    expect(error).not.toBeNull();
    expect([await fixture.storedKeys(), await fixture.versions()]).toEqual(before);
  });

  test("that arrive incomplete store nothing", async () => {
    const before = [await fixture.storedKeys(), await fixture.versions()];
    const body = `--b\r\nContent-Disposition: form-data; name=""; filename="x"\r\nContent-Type: text/plain\r\n\r\nhalf of i`;
    const response = await fixture.raw("/object/private/half.txt", {
      method: "POST",
      headers: { Authorization: `Bearer ${fixture.staffToken}`, "Content-Type": "multipart/form-data; boundary=b" },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { statusCode: "400", code: "InvalidRequest" }]);
    expect([await fixture.storedKeys(), await fixture.versions()]).toEqual(before);
  });
});
