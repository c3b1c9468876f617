import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { fixedPages } from "content/pages.ts";
import { provider } from "content/provider.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProcess, type RunningProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

const FORM = "application/x-www-form-urlencoded";
const FILES = ["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/blog/rss.xml", "/calendar/x.ics", "/social/blog/x.jpg", "/health"];
const PATHS = [
  ...fixedPages.map(({ path }) => path),
  ...FILES,
  "/blog/x",
  "/visit-opt-out",
  "/enquiry.data",
  "/admin",
  "/admin/bookings",
  "/nowhere",
];
const OTHER_METHODS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
const BODIES: [type: string, body: string][] = [
  ["", ""],
  ["application/json", "{}"],
  ["text/csv", "a,b\n1,2\n"],
  ["text/plain", "\0".repeat(1000)],
  ["image/svg+xml", "<svg/>"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n'],
  ["multipart/form-data", "--x--"],
];

const cleanup = new AsyncDisposableStack();
let dataDir: string;
let site: RunningProcess;

beforeAll(async () => {
  dataDir = cleanup.use(await startedDirectory()).path;
  site = cleanup.use(await startProcess("server/build/site.js", { DATA_DIR: dataDir }));
});
afterAll(() => cleanup.disposeAsync());

/** Sends a request with any method, which `fetch` does not allow. */
async function send(method: string, path: string, headers: Record<string, string>, body = ""): Promise<{ status: number; text: string }> {
  const sent = request(site.url + path, { method, headers: { ...headers, "Content-Length": Buffer.byteLength(body) } });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, text: (await response.setEncoding("utf8").toArray()).join("") };
}

/** The lines of the log above level warn, without failed health checks: they fail during the start and on a busy machine. */
function errorLines(): string[] {
  const lines = site.output().split("\n");
  return lines.filter(
    (line) => line !== "" && !/"level":(?:10|20|30|40)\b|"route":"\/health","status":503|"msg":"health check failed"/.test(line),
  );
}

test.each(BODIES)(
  "POST with a body of type '%s' is refused on every page with a plain page and no error in the log",
  async (type, body) => {
    for (const path of PATHS) {
      const { status, text } = await send("POST", path, type === "" ? {} : { "Content-Type": type }, body);
      expect([400, 405, 415], path).toContain(status);
      expect(text).toContain(provider.phoneHref);
    }
    expect(errorLines()).toEqual([]);
  },
);

test.each(OTHER_METHODS)("%s is refused on every page with a plain page and no error in the log", async (method) => {
  for (const path of PATHS) {
    const { status, text } = await send(method, path, { "Content-Type": FORM }, method === "TRACE" ? "" : "name=Jo");
    // The listener refuses TRACE before a page could be rendered.
    expect(status, path).toBe(method === "TRACE" ? 400 : 405);
    expect(text).toContain(method === "TRACE" ? "" : provider.phoneHref);
  }
  expect(errorLines()).toEqual([]);
});

test.each([
  ["/auth/v1/otp", "/auth/v1/otp"],
  ["/rest/v1/course_dates", "/rest/v1/course_dates"],
  ["/functions/v1/send-enquiry", "/functions/v1/send-enquiry"],
  ["/storage/v1/object/move", "/storage/v1/object/move"],
  ["/storage/v1/object/post-images/x.png", "/storage/v1/object/post-images/:name"],
])("a client that leaves in the middle of its request to %s causes no error in the log", async (path, route) => {
  const { publishableKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const lines = (): number => site.output().split(`"route":"${route}"`).length;
  const before = lines();
  const { port } = new URL(site.url);
  const socket = connect(Number(port), "127.0.0.1");
  // The server sends "100 Continue" when it has the head of the request.
  const received = once(socket, "data");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${publishableKey}\r\nContent-Type: ${FORM}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
  );
  await received;
  socket.write("a");
  socket.destroy();
  await expect.poll(lines).toBeGreaterThan(before);
  expect(errorLines()).toEqual([]);
});

test("a page without a form lists the methods that it allows", async () => {
  const response = await fetch(`${site.url}/cctv`, { method: "POST", body: new URLSearchParams({ name: "Jo" }) });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const deleted = await fetch(`${site.url}/enquiry`, { method: "DELETE" });
  expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  expect(deleted.headers.get("content-security-policy")).toContain("default-src 'none'");
});

describe.each(["/visit-opt-out", "/enquiry"])("a form sent to %s", (path) => {
  const body = "opt_out=0&name=Jo&reply_to=jo%40reed.example&message=When";

  test.each([{ Origin: "https://elsewhere.example" }, { Origin: "null" }, { Origin: "not an origin" }, { "Sec-Fetch-Site": "cross-site" }])(
    "from another site is refused (%o)",
    async (headers) => {
      const { status, text } = await send("POST", path, { ...headers, "Content-Type": FORM }, body);
      expect(status).toBe(403);
      expect(text).toContain("This form was sent from another site");
      expect(errorLines()).toEqual([]);
    },
  );

  test.each([{}, { "Sec-Fetch-Site": "same-origin" }])("from this site is accepted (%o)", async (headers) => {
    expect((await send("POST", path, { ...headers, Origin: site.url, "Content-Type": FORM }, body)).status).toBe(303);
  });
});
