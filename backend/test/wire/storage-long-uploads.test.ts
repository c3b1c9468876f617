import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../database.ts";
import { openStorageFixture, PUBLISHABLE_KEY, type StorageFixture } from "./storage-fixture.ts";

const RESUMABLE = "/upload/resumable";

describeDatabases("the time limit of a body", (open) => {
  let fixture: StorageFixture;
  let otherToken: string;
  afterAll(() => fixture.close());
  beforeAll(async () => {
    fixture = await openStorageFixture(open);
    otherToken = await fixture.jwt.sign({ sub: crypto.randomUUID(), role: "authenticated" });
  });

  /** Sends a request; returns whether it was accepted, and whether the limit was lifted. */
  async function send(path: string, init: RequestInit): Promise<{ ok: boolean; lifted: boolean; location: string }> {
    let lifted = false;
    const answer = await fixture.raw(path, init, { clientAddress: "192.0.2.1", allowLongBody: () => void (lifted = true) });
    return { ok: answer.ok, lifted, location: answer.headers.get("location") ?? "" };
  }

  function file(token: string, method = "POST"): RequestInit {
    return { method, headers: { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${token}` }, body: "file" };
  }

  const REFUSED = { ok: false, lifted: false };

  test("is lifted for an upload that a policy allows, and for no other", async () => {
    expect(await send("/object/private/a.txt", file(fixture.staffToken))).toMatchObject({ ok: true, lifted: true });
    expect(await send("/object/private/a.txt", file(fixture.staffToken, "PUT"))).toMatchObject({ ok: true, lifted: true });
    const refused: [path: string, init: RequestInit][] = [
      ["/object/private/b.txt", { method: "POST", body: "file" }],
      ["/object/private/b.txt", file(PUBLISHABLE_KEY)],
      ["/object/private/b.txt", file("no-token")],
      ["/object/private/vault/gold.txt", file(fixture.staffToken)],
      ["/object/private/a.txt", file(fixture.staffToken)],
      ["/object/nowhere/b.txt", file(fixture.staffToken)],
    ];
    for (const [path, init] of refused) expect(await send(path, init), path).toMatchObject(REFUSED);
  });

  test("is lifted for the holder of a link to upload, and not for a wrong link", async () => {
    const link = await fixture.staff.storage.from("private").createSignedUploadUrl("linked.txt");
    const token = link.data?.token ?? "";
    const put = { method: "PUT", body: "file" };
    expect(await send(`/object/upload/sign/private/other.txt?token=${token}`, put)).toMatchObject(REFUSED);
    expect(await send(`/object/upload/sign/private/linked.txt?token=${token}x`, put)).toMatchObject(REFUSED);
    expect(await send(`/object/upload/sign/private/linked.txt?token=${token}`, put)).toMatchObject({ ok: true, lifted: true });
  });

  test("is lifted for the account that began a resumable upload, and for no other", async () => {
    const tus = (token: string, more: Record<string, string>): Record<string, string> => ({
      Authorization: `Bearer ${token}`,
      "Tus-Resumable": "1.0.0",
      ...more,
    });
    const create = (token: string, name: string): RequestInit => {
      const metadata = Object.entries({ bucketName: "private", objectName: name }).map(([key, value]) => `${key} ${btoa(value)}`);
      return { method: "POST", headers: tus(token, { "Upload-Length": "4", "Upload-Metadata": metadata.join(",") }) };
    };
    const patch = (token: string): RequestInit => ({
      method: "PATCH",
      headers: tus(token, { "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" }),
      body: "file",
    });
    expect(await send(RESUMABLE, create(PUBLISHABLE_KEY, "part.txt"))).toMatchObject(REFUSED);
    expect(await send(RESUMABLE, create(fixture.staffToken, "vault/part.txt"))).toMatchObject(REFUSED);
    const begun = await send(RESUMABLE, create(fixture.staffToken, "part.txt"));
    expect(begun).toMatchObject({ ok: true, lifted: true });
    const path = begun.location.slice(begun.location.indexOf(RESUMABLE));
    for (const token of [otherToken, PUBLISHABLE_KEY, "no-token"]) expect(await send(path, patch(token))).toMatchObject(REFUSED);
    expect(await send(`${RESUMABLE}/${crypto.randomUUID()}`, patch(fixture.staffToken))).toMatchObject(REFUSED);
    expect(await send(path, patch(fixture.staffToken))).toMatchObject({ ok: true, lifted: true });
  });
});
