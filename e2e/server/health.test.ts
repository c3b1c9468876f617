import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningProcess, startProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

async function readiness(url: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.json()];
}

// The last test stops the product.
describe("a product with DRAIN_SECONDS that systemd started", () => {
  const cleanup = new AsyncDisposableStack();
  let dataDir: string;
  let notifications: string;
  let site: RunningProcess;
  beforeAll(async () => {
    dataDir = cleanup.use(await startedDirectory()).path;
    notifications = join(dataDir, "notifications");
    await writeFile(join(dataDir, "systemd-notify"), `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> '${notifications}'\n`, { mode: 0o755 });
    const systemd = { NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "3000000", PATH: `${dataDir}:${process.env["PATH"]}` };
    const parts = { SMTP_URL: "smtp://127.0.0.1:1", BACKUP_DIR: join(dataDir, "backups") };
    const env = { DATA_DIR: dataDir, DRAIN_SECONDS: "5", ...parts, ...systemd };
    site = cleanup.use(await startProcess("server/build/site.js", env));
  });
  afterAll(() => cleanup.disposeAsync());

  const notifiedStates = async (): Promise<string[]> => (await readFile(notifications, "utf8").catch(() => "")).trimEnd().split("\n");
  const statusOf = async (path: string): Promise<number> => (await fetch(site.url + path)).status;

  test("refuses connections until it is ready", async () => {
    // Later, a busy machine can cause a response 503.
    expect(site.output().split("Ready on ")[0]).not.toContain('"status":503');
    await expect.poll(() => statusOf("/health/ready")).toBe(200);
  });

  test("names the parts that are set up in its readiness, and warns if the folder of the files is missing", async () => {
    const checks = { database: "pass", storage: "pass", mail: "pass", backup: "pass" };
    await expect.poll(() => readiness(site.url)).toEqual([200, { status: "pass", checks }]);
    await rename(join(dataDir, "storage/objects"), join(dataDir, "storage/elsewhere"));
    await expect.poll(() => readiness(site.url)).toEqual([200, { status: "warn", checks: { ...checks, storage: "warn" } }]);
  });

  test("notifies systemd when it is ready, and that it still works", async () => {
    await expect.poll(notifiedStates).toContain("/run/notify WATCHDOG=1");
    expect((await notifiedStates())[0]).toBe("/run/notify READY=1");
  });

  test("is not ready after SIGTERM, notifies systemd that it stops, serves requests, and stops", async () => {
    const stopped = site.stop();
    await expect.poll(() => statusOf("/health/ready")).toBe(503);
    expect(await Promise.all(["/", "/health/live"].map(statusOf))).toEqual([200, 200]);
    expect((await fetch(site.url)).headers.get("connection")).toBe("close");
    expect(await stopped).toBe(0);
    await expect.poll(notifiedStates).toContain("/run/notify STOPPING=1");
  });
});

test("a product whose embedded database runs a slow statement is live, not ready, and answers /health", async () => {
  await using dataDir = await startedDirectory();
  await using site = await startProcess("server/build/site.js", { DATA_DIR: dataDir.path });
  const { secretKey }: { secretKey: string } = JSON.parse(await readFile(join(dataDir.path, "secrets.json"), "utf8"));
  // Back-references take exponential time, and the secret key has no statement timeout.
  const pattern = encodeURIComponent(`${"(.+)".repeat(5)}.*\\1\\2\\3\\4\\5\\5$`);
  let isAnswered = false;
  const slow = fetch(`${site.url}/rest/v1/blog_posts?select=id&content=match.${pattern}`, { headers: { apikey: secretKey } })
    .catch(() => undefined)
    .finally(() => (isAnswered = true));
  await expect.poll(() => readiness(site.url)).toMatchObject([503, { status: "fail", checks: { database: "fail" } }]);
  expect((await fetch(`${site.url}/health/live`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${site.url}/health`)).status).toBe(503);
  expect(isAnswered).toBe(false);
  // A regular stop would wait for the statement.
  if (site.pid !== undefined) process.kill(site.pid, "SIGKILL");
  await slow;
});
