import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { remoteBackend, type SiteBackend } from "./remote-backend.ts";

const SITE = "https://site.example";
const PICTURE = "post-images/room-00000001-60x40.jpg";

describe("the storage of a remote backend at the site's own origin", () => {
  let hosted: Server;
  let backend: SiteBackend;
  let answer: { status: number; headers: Record<string, string>; body: string };

  beforeAll(async () => {
    hosted = createServer((_request, response) => response.writeHead(answer.status, answer.headers).end(answer.body));
    await new Promise<void>((resolve) => hosted.listen(0, "127.0.0.1", resolve));
    const address = hosted.address();
    if (typeof address !== "object" || address === null) throw new Error("no port");
    backend = remoteBackend(`http://127.0.0.1:${address.port}`, "sb_publishable_test-0123456789abcdef");
  });
  afterAll(() => new Promise((resolve) => hosted.close(resolve)));

  function ask(path: string, given: Partial<typeof answer>, method = "GET"): Promise<Response> {
    answer = { status: 200, headers: {}, body: "", ...given };
    return backend.fetch(new Request(SITE + path, { method }));
  }

  test.each([
    ["https://project.supabase.co/storage/v1/upload/resumable/abc?x=1", "/storage/v1/upload/resumable/abc?x=1"],
    ["/storage/v1/upload/resumable/abc", "/storage/v1/upload/resumable/abc"],
  ])("an upload that goes on at %s goes on at the site", async (location, expected) => {
    const response = await ask("/storage/v1/upload/resumable", { status: 201, headers: { location } }, "POST");
    expect(response.headers.get("location")).toBe(expected);
  });

  test("the redirect of a sign-in is passed on", async () => {
    const location = "https://accounts.example/o/oauth2?client_id=1";
    expect((await ask("/auth/v1/authorize", { status: 302, headers: { location } })).headers.get("location")).toBe(location);
  });

  test.each([
    "image/svg+xml",
    "text/html; charset=utf-8",
    "application/xhtml+xml",
    "text/xml",
    "text/xsl",
    "multipart/x-mixed-replace",
    "application/javascript",
    "text/css",
  ])("a stored file of type %s is sent as a download and cannot run scripts", async (type) => {
    const response = await ask(`/storage/v1/object/public/${PICTURE}`, { headers: { "content-type": type } });
    expect(response.headers.get("content-disposition")).toBe("attachment");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    if (/javascript|css/.test(type)) expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each(["image/jpeg", "image/avif", "application/pdf", "video/mp4", "application/json"])(
    "a stored file of type %s is shown",
    async (type) => {
      const response = await ask(`/storage/v1/object/public/${PICTURE}`, { headers: { "content-type": type }, body: "bytes" });
      expect([response.headers.get("content-disposition"), await response.text()]).toEqual([null, "bytes"]);
    },
  );

  describe("without image rendering", () => {
    const headers = { "content-type": "application/json" };
    const refused = (code: string): string => JSON.stringify({ statusCode: "403", error: code, message: "not enabled" });

    test("the stored image is shown", async () => {
      const response = await ask(`/storage/v1/render/image/public/${PICTURE}?width=480`, {
        status: 403,
        headers,
        body: refused("FeatureNotEnabled"),
      });
      expect([response.status, response.headers.get("location")]).toEqual([302, `/storage/v1/object/public/${PICTURE}`]);
    });

    test("other errors are passed on unchanged", async () => {
      const response = await ask(`/storage/v1/render/image/public/${PICTURE}?width=480`, {
        status: 400,
        headers,
        body: refused("NoSuchKey"),
      });
      expect([response.status, await response.json()]).toEqual([400, JSON.parse(refused("NoSuchKey"))]);
    });
  });
});
