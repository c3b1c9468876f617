import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startProcess, STAFF, STAFF_ENV, type RunningProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

// Security headers, refused requests and the health check of the shared public site, and the log of a site of this file.

const url = inject("publicSiteUrl");
/** The public site has a copy of this data directory, with the same secrets. */
const secrets: { publishableKey: string; secretKey: string; jwtSecret: string } = JSON.parse(
  await readFile(join(inject("startedDataDir"), "secrets.json"), "utf8"),
);

function policyOf(response: Response): Record<string, string> {
  const directives = (response.headers.get("content-security-policy") ?? "").split("; ");
  return Object.fromEntries(directives.map((directive) => [directive.split(" ", 1)[0], directive.slice(directive.indexOf(" ") + 1)]));
}

describe("the content security policy", () => {
  test("of a public page allows only scripts in files of the site", async () => {
    const policy = policyOf(await fetch(url));
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "frame-ancestors": "'none'",
      "base-uri": "'none'",
      "form-action": "'self'",
    });
  });

  test("of the portal allows its inline scripts by a nonce that no other response has", async () => {
    const answers = await Promise.all([fetch(`${url}/admin`), fetch(`${url}/admin`)]);
    const nonces = answers.map((answer) => /^'self' 'nonce-([A-Za-z0-9+/=]{20,})'$/.exec(policyOf(answer)["script-src"] ?? "")?.[1]);
    expect(nonces[0]).toBeDefined();
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(await answers[0]?.text()).toContain(`nonce="${nonces[0]}"`);
    expect(answers[0]?.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["/", "/cctv", "/blog", "/admin", "/nowhere", "/sitemap.xml"])("of %s has no unsafe source", async (path) => {
    const policy = (await fetch(url + path)).headers.get("content-security-policy");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
  });
});

test.each(["/", "/admin", "/nowhere", "/robots.txt"])("%s has the other security headers", async (path) => {
  const { headers } = await fetch(url + path);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("permissions-policy")).toContain("camera=()");
  expect(headers.get("strict-transport-security")).toBeNull();
});

test.each([
  "/auth/v1/nothing",
  "/rest/v1/nothing",
  "/storage/v1/nothing",
  "/storage/v1/status",
  "/functions/v1/nothing",
  "/functions/v1/get-website-stats",
  "/realtime/v1/api/broadcast",
])("a browser does not guess the type of a response of %s", async (path) => {
  expect((await fetch(url + path)).headers.get("x-content-type-options")).toBe("nosniff");
});

test.each<[path: string, status: number, body?: object]>([
  ["/auth/v1/admin/users", 200],
  ["/rest/v1/enquiries", 200],
  ["/storage/v1/bucket", 200],
  ["/storage/v1/object/list/post-images", 200, { prefix: "" }],
  ["/storage/v1/object/upload/sign/post-images/a.png", 200, {}],
  ["/storage/v1/object/sign/post-images/nothing.png", 400, { expiresIn: 60 }],
  ["/storage/v1/object/info/post-images/nothing.png", 400],
  ["/functions/v1/get-website-stats", 401],
])("no cache stores the response of %s, and a browser does not guess its type", async (path, status, body) => {
  const response = await fetch(url + path, {
    method: body ? "POST" : "GET",
    headers: { apikey: secrets.secretKey, Authorization: `Bearer ${secrets.secretKey}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { headers } = response;
  expect([response.status, headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([status, "no-store", "nosniff"]);
});

test("assets are cached by browsers, permanently if their names contain a hash, and are sent compressed", async () => {
  const [script] = /\/assets\/entry[^"]+\.js/.exec(await (await fetch(url)).text()) ?? [];
  const headersOf = async (path: string): Promise<Headers> =>
    (await fetch(url + path, { headers: { "Accept-Encoding": "gzip, br" } })).headers;
  const [hashed, icon] = [await headersOf(String(script)), await headersOf("/favicon.svg")];
  expect(hashed.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(icon.get("cache-control")).toBe("public, max-age=3600");
  for (const headers of [hashed, icon]) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-encoding")).toBe("br");
    expect(headers.get("vary")).toBe("Accept-Encoding");
  }
});

test.each([
  ["/auth/v1/token?grant_type=password", 2 * 1024 * 1024],
  ["/rest/v1/blog_posts", 11 * 1024 * 1024],
  ["/functions/v1/record-page-view", 11 * 1024 * 1024],
  ["/enquiry", 100 * 1024],
])("a body too long for %s is refused", async (path, bytes) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { apikey: secrets.publishableKey, "Content-Type": "application/json", Origin: url },
    body: `"${"x".repeat(bytes)}"`,
  });
  expect(response.status).toBe(413);
});

test.each([
  "/rest/v1/%00",
  "/rest/v1/course_dates?select=%FF",
  "/auth/v1/nothing",
  "/storage/v1/nothing",
  "/storage/v1/object/public/post-images/%00",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/assets/../../package.json",
  "/blog/%E0%A4%A",
  "/blog/%00",
])("%s is refused without a stack trace or a path of the machine", async (path) => {
  const response = await fetch(url + path, { headers: { apikey: secrets.publishableKey } });
  const body = await response.text();
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(body).not.toMatch(/node_modules|\bat .+:\d+:\d+|larkfell"/);
});

test("/health reports that the database responds", async () => {
  const health = async (): Promise<[number, unknown]> => {
    const response = await fetch(`${url}/health`);
    return [response.status, await response.json()];
  };
  // On a busy machine the health check can time out before the database responds.
  await expect.poll(health).toEqual([200, { status: "ok" }]);
});

describe("a site with an https address behind a proxy", () => {
  const publicUrl = "https://larkfell-training.example";
  const cleanup = new AsyncDisposableStack();
  let site: RunningProcess;
  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    site = cleanup.use(await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, SITE_URL: publicUrl, ...STAFF_ENV }));
  });
  afterAll(() => cleanup.disposeAsync());

  test("sends HSTS for a year", async () => {
    const { headers } = await fetch(site.url);
    expect(headers.get("strict-transport-security")).toContain("max-age=31536000");
  });

  test("warns of sample content, and of a proxy that is not trusted, whose address would count as that of every visitor", async () => {
    await expect.poll(site.output).toContain("samples (people, reviews, contact details, facts about the rooms)");
    await expect.poll(site.output).toContain("Set TRUST_PROXY to the number of proxies.");
  });

  test("accepts a form from its own address although the proxy replaces the Host header", async () => {
    const optOut = (Origin: string): Promise<Response> =>
      fetch(`${site.url}/visit-opt-out`, {
        method: "POST",
        headers: { Origin },
        body: new URLSearchParams({ opt_out: "1" }),
        redirect: "manual",
      });
    expect((await optOut(publicUrl)).status).toBe(303);
    expect((await optOut("https://elsewhere.example")).status).toBe(403);
  });

  test("has one line in its log per request, without secrets, addresses, query strings or personal data", async () => {
    const login = { email: STAFF.email, password: STAFF.password };
    const token = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: secrets.publishableKey, "Content-Type": "application/json" },
      body: JSON.stringify(login),
    });
    const { access_token, refresh_token } = await token.json();
    await fetch(`${site.url}/auth/v1/admin/users`, { headers: { apikey: secrets.secretKey } });
    await fetch(`${site.url}/rest/v1/course_dates?description=eq.whisper`, {
      headers: { apikey: secrets.publishableKey, Authorization: `Bearer ${access_token}` },
    });
    // A log line can be written after its response is sent.
    await expect.poll(site.output).toMatch(/"method":"GET","route":"\/rest\/v1\/course_dates","status":200,"ms":[\d.]+,"msg":"request"/);
    expect(site.output()).toMatch(/"route":"\/auth\/v1\/admin\/users","status":200/);
    const output = site.output();
    for (const private_ of [
      ...Object.values(secrets).filter((secret) => typeof secret === "string"),
      access_token,
      refresh_token,
      STAFF.password,
      STAFF.email,
      "whisper",
      '127.0.0.1"',
    ]) {
      expect(output).not.toContain(private_);
    }
  });
});
