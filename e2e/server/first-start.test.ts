import { once } from "node:events";
import { createServer } from "node:http";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runToEnd, spawnProcess, startProcess, temporaryDirectory, type RunningProcess } from "../support/product.ts";

describe("a first start", () => {
  const cleanup = new AsyncDisposableStack();
  let dataDir: string;
  let site: RunningProcess;
  let secrets: { publishableKey: string; secretKey: string; jwtSecret: string };

  beforeAll(async () => {
    dataDir = cleanup.use(await temporaryDirectory(TEMPORARY_FILES)).path;
    site = cleanup.use(await startProcess("server/build/site.js", { DATA_DIR: dataDir }));
    secrets = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  });
  afterAll(() => cleanup.disposeAsync());

  test("prints a one-time set-up link and no secrets", async () => {
    await expect.poll(site.output).toMatch(new RegExp(`${site.url}/admin/set-up#\\S{20,}`));
    for (const secret of [secrets.secretKey, secrets.jwtSecret]) expect(site.output()).not.toContain(secret);
    expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
  });

  test("creates one account with its link, once", async () => {
    const token = /set-up#(\S+)/.exec(site.output())?.[1];
    const setUp = (body: Record<string, unknown>): Promise<Response> =>
      fetch(`${site.url}/auth/v1/setup`, {
        method: "POST",
        headers: { apikey: secrets.publishableKey, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const account = { email: "first@larkfell-training.example", password: "a long enough one" };
    expect((await setUp({ token: "wrong", ...account })).status).toBe(403);
    expect((await setUp({ token, ...account })).status).toBe(200);
    expect((await setUp({ token, ...account, email: "second@larkfell-training.example" })).status).toBe(403);
  });

  test("refuses a second process on its data directory with a one-line error", async () => {
    const { code, output } = await runToEnd("server/build/site.js", { PORT: "0", DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
  });

  test("exits with 0 after SIGTERM", async () => {
    // A process that does not finish within nine seconds exits with 1.
    expect(await site.stop()).toBe(0);
  });
});

test.runIf(process.platform === "linux")("a stop in the middle of the first start leaves no process behind", async () => {
  await using dataDir = await temporaryDirectory(TEMPORARY_FILES);
  const site = spawnProcess("server/build/site.js", { PORT: "0", DATA_DIR: dataDir.path, LOG_LEVEL: "silent" });
  const exited = once(site, "exit");
  let children: number[] = [];
  while (children.length === 0) {
    await delay(20);
    children = (await readFile(`/proc/${site.pid}/task/${site.pid}/children`, "utf8")).split(" ").filter(Boolean).map(Number);
  }
  // The child process is creating the database, which takes seconds.
  await expect.poll(async () => (await readdir(dataDir.path, { recursive: true })).some((name) => name.endsWith("PG_VERSION"))).toBe(true);
  site.kill("SIGTERM");
  await exited;
  await expect.poll(() => Promise.all(children.map(isRunning))).toEqual(children.map(() => false));
});

/** True if a Linux process still runs; a zombie does not. */
async function isRunning(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") gone");
  return !/\) (Z|X|gone)/.test(line);
}

test("a port in use leads to a one-line error and exit code 1", async () => {
  await using dataDir = await temporaryDirectory(TEMPORARY_FILES);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const { code, output } = await runToEnd("server/build/site.js", {
    PORT: String(port),
    DATA_DIR: dataDir.path,
    STAFF_EMAIL: "a@b.example",
    STAFF_PASSWORD: "0123456789",
  });
  other.close();
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toEqual([`Port ${port} on 127.0.0.1 is already in use; set PORT to another one.`]);
});

test("an invalid environment variable is reported by name, without its value", async () => {
  const { code, output } = await runToEnd("server/build/site.js", { PORT: "harbour", JWT_SECRET: "short" });
  expect(code).toBe(1);
  expect(output).toContain("PORT");
  expect(output).not.toContain("harbour");
});
