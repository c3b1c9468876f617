import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectOutput, SHORT_LIVED, spawnEntry, startServer } from "backend/test/server-process.ts";
import packageJson from "../../package.json" with { type: "json" };

const { start: START } = packageJson.scripts;
// A benchmark measures the flags of `npm start`.
const FLAGS = [...(START.match(/--\S+/g) ?? []), ...(process.env["VITEST"] === undefined ? [] : SHORT_LIVED)];
const SETTINGS = Object.fromEntries([...START.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));

export const STAFF = { email: "jo@larkfell-training.example", password: "seven lanes to Penrith" };
/** Environment variables that create the account at the first start. */
export const STAFF_ENV = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };

/** A running process of the product, reached over HTTP; disposing of it stops it. */
export interface RunningProcess extends AsyncDisposable {
  url: string;
  pid: number | undefined;
  /** The output so far. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Creates a temporary directory, by default on disk; disposing of it removes it. */
export async function temporaryDirectory(parent = tmpdir()): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(parent, "larkfell e2e "));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the production build of the site, the backend alone or the server of a benchmark, and waits until it responds. */
export async function startProcess(
  entry:
    | "server/build/site.js"
    | "server/build/backend.js"
    | "bench/sign-in/limit-server.ts"
    | "bench/home-server.ts"
    | "bench/realtime/bare-server.ts"
    | "bench/read-dates/minimal-read-server.ts",
  env: Record<string, string>,
  {
    healthPath = entry === "server/build/site.js" ? "/health" : "/auth/v1/health",
    logFile,
  }: { healthPath?: string; logFile?: string } = {},
): Promise<RunningProcess> {
  const server = await startServer(entry, { ...SETTINGS, ...env }, { flags: FLAGS, healthPath, logFile });
  return { ...server, pid: server.child.pid, stop: () => server.end() };
}

/** Runs an entry that is expected to exit, and returns its exit code and output. A server that gets ready instead is killed: its exit code is null. */
export async function runToEnd(
  entry: "server/build/site.js" | "operations/larkfell.ts",
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const child = spawnEntry(entry, { ...SETTINGS, ...env }, FLAGS, args);
  const output = collectOutput(child);
  child.stdout?.on("data", () => {
    if (output().includes("Ready on ")) child.kill("SIGKILL");
  });
  await once(child, "close");
  return { code: child.exitCode, output: output() };
}

/** Spawns an entry with the flags and environment of `npm start`, without waiting for it. */
export function spawnProcess(entry: string, env: Record<string, string>): ChildProcess {
  return spawnEntry(entry, { ...SETTINGS, ...env }, FLAGS);
}
