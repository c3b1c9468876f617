import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestPostgres } from "backend/test/database.ts";
import { afterAll, describe, expect, inject, test } from "vitest";

const SERVER = fileURLToPath(new URL("../../backend/src/server.ts", import.meta.url));
const KEYS = { PUBLISHABLE_KEY: "sb_publishable_crash-0123456789abcdef", SECRET_KEY: "sb_secret_crash-0123456789abcdef" };
const STAFF = { email: "staff@site.example", password: "seven lanes to Penrith" };
const CALLERS = 24;

/** What each driver needs beside a data directory, and how it is removed. */
const drivers: Record<string, () => Promise<{ env: Record<string, string>; remove: () => Promise<void> }>> = {
  PGlite: () => Promise.resolve({ env: {}, remove: () => Promise.resolve() }),
  Postgres: async () => {
    const { url, remove } = await createTestPostgres({ platform: false });
    return { env: { DATABASE_URL: url }, remove };
  },
};

describe.each(Object.entries(drivers))("views on %s", (name, prepare) => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  test.skipIf(name === "Postgres" && inject("postgres") === null)(
    "that were acknowledged survive kill -9 under load",
    async () => {
      const dataDir = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-crash-")), (path) => rm(path, { recursive: true, force: true }));
      const { env, remove } = await prepare();
      cleanup.defer(remove);
      const settings = { ...env, ...KEYS, DATA_DIR: dataDir, STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, TRUST_PROXY: "1" };

      const first = await start(settings);
      cleanup.defer(() => end(first.child));
      let asked = 0;
      let acknowledged = 0;
      const load = Array.from({ length: CALLERS }, async () => {
        while (first.child.signalCode === null) {
          asked += 1;
          const status = await recordView(first.url, asked);
          if (status === 201) acknowledged += 1;
          if (acknowledged === 500) first.child.kill("SIGKILL");
        }
      });
      await Promise.all(load);

      const second = await start(settings);
      cleanup.defer(() => end(second.child));
      const { totalPageViews, uniqueVisitors } = await readStats(second.url);
      expect(acknowledged).toBeGreaterThanOrEqual(500);
      expect(totalPageViews).toBeGreaterThanOrEqual(acknowledged);
      expect(totalPageViews).toBeLessThanOrEqual(asked);
      expect(uniqueVisitors).toBe(totalPageViews);
    },
    60_000,
  );
});

/** Gives the status of the answer, or undefined where the server was gone before it. */
async function recordView(url: string, number: number): Promise<number | undefined> {
  const headers = {
    apikey: KEYS.PUBLISHABLE_KEY,
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)",
    "X-Forwarded-For": `198.51.100.${number % 250}`,
  };
  const body = JSON.stringify({ page_path: number % 2 === 0 ? "/" : "/cctv", session_id: crypto.randomUUID() });
  try {
    const answer = await fetch(`${url}/functions/v1/record-page-view`, { method: "POST", headers, body });
    return answer.status;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function readStats(url: string): Promise<{ totalPageViews: number; uniqueVisitors: number }> {
  const headers = { apikey: KEYS.PUBLISHABLE_KEY, "Content-Type": "application/json" };
  const session = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", headers, body: JSON.stringify(STAFF) });
  const { access_token } = await session.json();
  const stats = await fetch(`${url}/functions/v1/get-website-stats`, { headers: { ...headers, Authorization: `Bearer ${access_token}` } });
  return stats.json();
}

async function start(env: Record<string, string>): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", LOG_LEVEL: "error" };
  const child = spawn(process.execPath, [SERVER], { env: { ...inherited, ...env, PORT: String(port) }, stdio: "ignore" });
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the backend ended with ${child.exitCode}`);
    const isReady = await fetch(`${url}/auth/v1/health`, { headers: { apikey: KEYS.PUBLISHABLE_KEY } }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}
