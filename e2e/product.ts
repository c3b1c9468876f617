import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LONGEST_START_MS = 60_000;
const { start: START } = packageJson.scripts;
const FLAGS = START.match(/--\S+/g) ?? [];
const SETTINGS = Object.fromEntries([...START.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));

export const STAFF = { email: "jo@larkfell-training.example", password: "seven lanes to Penrith" };
/** What makes that account at the first start. */
export const STAFF_ENV = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };

/** A process of the product, reached over HTTP as its users reach it. */
export interface RunningProcess {
  url: string;
  pid: number | undefined;
  /** Everything it has printed so far. */
  output(): string;
  /** Ends it by SIGTERM and gives its exit code. */
  stop(): Promise<number | null>;
}

/** A directory that is gone with the test. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "larkfell e2e "));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the production build of the site, or the backend alone, and waits until it answers. */
export async function startProcess(
  entry: "site/server.ts" | "backend/src/server.ts",
  env: Record<string, string>,
  healthPath = entry === "site/server.ts" ? "/health" : "/auth/v1/health",
): Promise<RunningProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawnEntry(entry, { PORT: String(port), ...env });
  const output = collect(child);
  const exited = once(child, "exit");
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await answers(url + healthPath))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${entry} did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    pid: child.pid,
    output,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}

/** Runs an entry until it ends by itself, as it does when it cannot start. */
export async function runToEnd(entry: "site/server.ts", env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawnEntry(entry, env);
  const output = collect(child);
  await once(child, "exit");
  return { code: child.exitCode, output: output() };
}

/** Runs an entry as `start` in package.json does, without waiting for it. */
export function spawnEntry(entry: string, env: Record<string, string>): ChildProcess {
  const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  return spawn(process.execPath, [...FLAGS, join(ROOT, entry)], {
    cwd: ROOT,
    env: { ...inherited, ...SETTINGS, NODE_ENV: "production", ...env },
  });
}

function collect(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return () => text;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { apikey: "none" } });
    return response.status < 500;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** A port nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no port.");
  return address.port;
}
