import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDataDirectory, testLog } from "backend/test/database.ts";
import { serveHttp, type TestHttpServer } from "backend/test/http-server.ts";
import { startSmtp } from "backend/test/smtp-server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { listen, type Listener } from "server/http/listen.ts";
import { startBackend } from "server/start-backend.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { doctor } from "./commands/doctor.ts";
import { healthcheck } from "./commands/healthcheck.ts";

const TODAY = "larkfell-2026-11-23.tar";

describe("an installation behind a proxy", () => {
  const cleanup = new AsyncDisposableStack();
  let dataDir: string;
  let folder: string;
  let server: Listener;
  let proxy: TestHttpServer;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;

  beforeAll(async () => {
    const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-doctor-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    [dataDir, folder] = [join(directory, "data"), join(directory, "backups")];
    prepareDataDirectory(dataDir, inject("projectDatabase"));
    await mkdir(folder, { mode: 0o700 });
    smtp = cleanup.adopt(await startSmtp(), ({ close }) => close());
    server = cleanup.adopt(await listen({ host: "127.0.0.1", port: 0, trustProxy: 1, log: testLog }), (one) => one.close());
    const env = { DATA_DIR: dataDir, START_FRESH: "secrets", STAFF_EMAIL: "jo@larkfell.example", STAFF_PASSWORD: "seven lanes to Penrith" };
    const backend = cleanup.adopt(
      await startBackend(readEnvironment(backendEnvironment, env), { url: "http://larkfell.example", log: testLog }),
      (one) => one.close(),
    );
    server.serve(backend.fetch, undefined, undefined, backend.checks);
    proxy = cleanup.adopt(
      await serveHttp((request) => {
        const headers = new Headers(request.headers);
        headers.set("X-Forwarded-For", `${headers.get("X-Forwarded-For")}, 203.0.113.9`);
        return fetch(new URL(new URL(request.url).pathname, `http://127.0.0.1:${server.port}`), { headers });
      }),
      (one) => one.close(),
    );
  });
  beforeEach(async () => {
    const env = {
      ...{ DATA_DIR: dataDir, BACKUP_DIR: folder, BACKUP_PASSPHRASE: "words of a passphrase", SMTP_URL: smtp.url },
      ...{ HOST: "127.0.0.1", PORT: String(server.port), SITE_URL: proxy.url, TRUST_PROXY: "1" },
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    await writeFile(join(folder, TODAY), "");
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => cleanup.disposeAsync());

  /** The lines of the page that begin with this mark. */
  async function lines(mark: "FAIL" | "WARN" | "ok"): Promise<string> {
    const { ok, text } = await doctor();
    expect(ok).toBe(!text.includes("FAIL"));
    return text
      .split("\n")
      .filter((line) => line.startsWith(mark))
      .join("\n");
  }

  test("has nothing to repair, and each part is named", async () => {
    const found = await lines("ok");
    for (const part of [
      "Node 26.",
      "The clock",
      "The disk",
      "Only the user",
      "The server runs version",
      "The website answers",
      "mail server",
    ])
      expect(found).toContain(part);
    expect(found).toContain("TRUST_PROXY is 1, and 1 proxy names the client.");
    expect(found).toContain(`The newest backup is ${TODAY}.`);
    expect(await lines("FAIL")).toBe("");
  });

  test.each([
    ["0", "all visitors share the rate limits of one client. Set TRUST_PROXY=1."],
    ["2", "anybody can claim any client address. Set TRUST_PROXY=1."],
  ])("with TRUST_PROXY=%s the number of proxies is wrong", async (trusted, text) => {
    vi.stubEnv("TRUST_PROXY", trusted);
    expect(await lines("FAIL")).toContain(text);
  });

  test("an address without a proxy needs TRUST_PROXY=0, and the secret key of this installation", async () => {
    vi.stubEnv("SITE_URL", `http://127.0.0.1:${server.port}`);
    expect(await lines("FAIL")).toContain("Set TRUST_PROXY=0.");
    vi.stubEnv("SECRET_KEY", "sb_secret_of-another-installation");
    expect(await lines("FAIL")).toContain("has another secret key");
  });

  test.each([
    ["a wrong public address", { SITE_URL: "http://127.0.0.1:1" }, "does not answer at SITE_URL, http://127.0.0.1:1 ("],
    ["a stopped server", { PORT: "1" }, "No server of this product answers at http://127.0.0.1:1 ("],
    ["a stopped mail server", { SMTP_URL: "smtp://127.0.0.1:1" }, "The mail server 127.0.0.1:1 cannot be used"],
    ["a missing passphrase", { BACKUP_PASSPHRASE: "" }, "BACKUP_PASSPHRASE is not set"],
    ["a missing folder of backups", { BACKUP_DIR: "/nowhere" }, "BACKUP_DIR cannot be read: ENOENT"],
    [
      "a bucket of backups that does not answer",
      { BACKUP_DIR: "s3://backups/site", S3_ENDPOINT: "http://127.0.0.1:1", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "key" },
      "BACKUP_DIR cannot be read: s3://backups/site/ cannot be used: connect ECONNREFUSED 127.0.0.1:1.",
    ],
  ])("%s has to be repaired", async (_problem, env, text) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(await lines("FAIL")).toContain(text);
  });

  test("a server of an earlier version should be restarted", async () => {
    const earlier = await serveHttp(async (request) => Response.json(request.url.endsWith("/live") ? { version: "0.0.9" } : {}));
    vi.stubEnv("PORT", new URL(earlier.url).port);
    expect(await lines("WARN")).toContain(`The server runs version 0.0.9: restart it for ${packageJson.version}.`);
    await earlier.close();
  });

  test("a server that starts has to be looked at again", async () => {
    const starting = await listen({ host: "127.0.0.1", port: 0, trustProxy: 1, log: testLog });
    vi.stubEnv("PORT", String(starting.port));
    vi.stubEnv("SITE_URL", `http://127.0.0.1:${starting.port}`);
    const found = await lines("FAIL");
    await starting.close();
    expect(found).toContain("The server starts or stops: try again in a minute.");
    expect(found).toContain("answered a test request with status 503");
    expect(found).not.toContain("another secret key");
  });

  test("a wrong password of the mail server is not printed", async () => {
    vi.stubEnv("SMTP_URL", smtp.url.replace("p%40ss", "another"));
    const found = await lines("FAIL");
    expect(found).toContain("cannot be used: EAUTH");
    expect(found).not.toContain("another");
  });

  test("secrets that others can read, and an old backup, have to be repaired", async () => {
    const secrets = join(dataDir, "secrets.json");
    await chmod(secrets, 0o644);
    const old = Date.now() / 1000 - 27 * 3600;
    await utimes(join(folder, TODAY), old, old);
    const found = await lines("FAIL");
    await chmod(secrets, 0o600);
    expect(found).toContain(`Others can read ${secrets}`);
    expect(found).toContain("is 27 hours old");
  });

  test.each(["SITE_URL", "SMTP_URL", "BACKUP_DIR"])("without %s there is a warning only", async (name) => {
    vi.stubEnv(name, "");
    expect(await lines("WARN")).toContain(`set`);
    expect(await lines("FAIL")).toBe("");
  });

  test("is healthy while its server is ready, and not without it", async () => {
    expect(await healthcheck()).toContain('"database":"pass"');
    vi.stubEnv("PORT", "1");
    await expect(healthcheck()).rejects.toThrow("No server answers");
  });
});
