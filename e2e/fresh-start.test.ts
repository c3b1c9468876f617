import { once } from "node:events";
import { createServer } from "node:http";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort, runToEnd, spawnEntry, startProcess, temporaryDirectory } from "./product.ts";

test("a first start prints a one-time set-up link, keeps its secrets to itself and stops within two seconds", async () => {
  await using dataDir = await temporaryDirectory();
  const site = await startProcess("site/server.ts", { DATA_DIR: dataDir.path });
  expect(site.output()).toMatch(new RegExp(`${site.url}/admin/set-up#\\S{20,}`));
  const secrets = join(dataDir.path, "secrets.json");
  expect((await stat(secrets)).mode & 0o777).toBe(0o600);
  const { secretKey, jwtSecret } = JSON.parse(await readFile(secrets, "utf8"));
  for (const secret of [secretKey, jwtSecret]) expect(site.output()).not.toContain(secret);
  const asked = performance.now();
  expect(await site.stop()).toBe(0);
  expect(performance.now() - asked).toBeLessThan(2000);
});

test.runIf(process.platform === "linux")("a stop in the middle of the first start leaves no process behind", async () => {
  await using dataDir = await temporaryDirectory();
  const site = spawnEntry("site/server.ts", { PORT: String(await freePort()), DATA_DIR: dataDir.path, LOG_LEVEL: "silent" });
  const exited = once(site, "exit");
  let children: number[] = [];
  while (children.length === 0) {
    await delay(20);
    children = (await readFile(`/proc/${site.pid}/task/${site.pid}/children`, "utf8")).split(" ").filter(Boolean).map(Number);
  }
  // One that has begun to work would go on for seconds.
  await delay(300);
  site.kill("SIGTERM");
  await exited;
  await delay(200);
  expect(await Promise.all(children.map(isRunning))).toEqual(children.map(() => false));
});

/** Whether a process of this Linux still runs; one that has ended and only waits to be noticed does not. */
async function isRunning(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") gone");
  return !/\) (Z|X|gone)/.test(line);
}

test("a set-up link makes one account, once", async () => {
  await using dataDir = await temporaryDirectory();
  const site = await startProcess("site/server.ts", { DATA_DIR: dataDir.path });
  const { publishableKey } = JSON.parse(await readFile(join(dataDir.path, "secrets.json"), "utf8"));
  const token = /set-up#(\S+)/.exec(site.output())?.[1];
  const setUp = (body: Record<string, unknown>): Promise<Response> =>
    fetch(`${site.url}/auth/v1/setup`, {
      method: "POST",
      headers: { apikey: publishableKey, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const account = { email: "first@larkfell-training.example", password: "a long enough one" };
  expect((await setUp({ token: "wrong", ...account })).status).toBe(403);
  expect((await setUp({ token, ...account })).status).toBe(200);
  expect((await setUp({ token, ...account, email: "second@larkfell-training.example" })).status).toBe(403);
  await site.stop();
});

test("a port in use is one clear line and exit code 1", async () => {
  await using dataDir = await temporaryDirectory();
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  const { code, output } = await runToEnd("site/server.ts", {
    PORT: String(port),
    DATA_DIR: dataDir.path,
    STAFF_EMAIL: "a@b.example",
    STAFF_PASSWORD: "0123456789",
  });
  other.close();
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toEqual([`Port ${port} on 127.0.0.1 is already in use; set PORT to another one.`]);
});

test("a DATA_DIR that cannot be written is one clear line and exit code 1", async () => {
  await using dataDir = await temporaryDirectory();
  const file = join(dataDir.path, "a file");
  await writeFile(file, "");
  const { code, output } = await runToEnd("site/server.ts", { PORT: "0", DATA_DIR: join(file, "data") });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(output).toContain("DATA_DIR");
});

test("a second process on the same DATA_DIR is refused with one clear line", async () => {
  await using dataDir = await temporaryDirectory();
  await mkdir(dataDir.path, { recursive: true });
  const first = await startProcess("site/server.ts", { DATA_DIR: dataDir.path });
  const { code, output } = await runToEnd("site/server.ts", { PORT: "0", DATA_DIR: dataDir.path });
  expect(code).toBe(1);
  expect(output.trim().split("\n")).toHaveLength(1);
  await first.stop();
});

test("a wrong environment is refused by name and without its value", async () => {
  const { code, output } = await runToEnd("site/server.ts", { PORT: "harbour", JWT_SECRET: "short" });
  expect(code).toBe(1);
  expect(output).toContain("PORT");
  expect(output).not.toContain("harbour");
});
