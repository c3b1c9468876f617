import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

async function readiness(url: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.json()];
}

test("the readiness names the parts that are set up, and warns if the folder of the files is missing", async () => {
  await using dataDir = await startedDirectory();
  const settings = { SMTP_URL: "smtp://127.0.0.1:1", BACKUP_DIR: join(dataDir.path, "backups") };
  await using site = await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, ...settings });
  const checks = { database: "pass", storage: "pass", mail: "pass", backup: "pass" };
  await expect.poll(() => readiness(site.url)).toEqual([200, { status: "pass", checks }]);
  await rename(join(dataDir.path, "storage/objects"), join(dataDir.path, "storage/elsewhere"));
  await expect.poll(() => readiness(site.url)).toEqual([200, { status: "warn", checks: { ...checks, storage: "warn" } }]);
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
  // Stopping it would wait for the statement.
  if (site.pid !== undefined) process.kill(site.pid, "SIGKILL");
  await slow;
});

test("a product that systemd started tells it when it is ready, that it still works, and that it stops", async () => {
  await using dataDir = await startedDirectory();
  const [told, program] = [join(dataDir.path, "told"), join(dataDir.path, "systemd-notify")];
  await writeFile(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> '${told}'\n`, { mode: 0o755 });
  const systemd = { NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "3000000", PATH: `${dataDir.path}:${process.env["PATH"]}` };
  await using site = await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, ...systemd });
  const states = async (): Promise<string[]> => (await readFile(told, "utf8").catch(() => "")).trimEnd().split("\n");
  await expect.poll(states).toContain("/run/notify WATCHDOG=1");
  await site.stop();
  await expect.poll(async () => (await states()).at(-1)).toBe("/run/notify STOPPING=1");
  expect((await states())[0]).toBe("/run/notify READY=1");
});
