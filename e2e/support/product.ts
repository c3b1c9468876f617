import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectOutput, spawnEntry, startServer } from "backend/test/server-process.ts";
import packageJson from "../../package.json" with { type: "json" };

const { start: START } = packageJson.scripts;
const FLAGS = START.match(/--\S+/g) ?? [];
const SETTINGS = Object.fromEntries([...START.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));

export const STAFF = { email: "jo@larkfell-training.example", password: "seven lanes to Penrith" };
/** What makes that account at the first start. */
export const STAFF_ENV = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };

/** A process of the product, reached over HTTP as its users reach it; disposing of it stops it. */
export interface RunningProcess extends AsyncDisposable {
  url: string;
  pid: number | undefined;
  /** Everything it has printed that has come here so far. */
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
  entry: "server/site.ts" | "server/backend.ts",
  env: Record<string, string>,
  healthPath = entry === "server/site.ts" ? "/health" : "/auth/v1/health",
): Promise<RunningProcess> {
  const server = await startServer(entry, { ...SETTINGS, ...env }, { flags: FLAGS, healthPath });
  return { ...server, pid: server.child.pid, stop: () => server.end() };
}

/** Runs an entry until it ends by itself, as it does when it cannot start. */
export async function runToEnd(entry: "server/site.ts", env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawnProcess(entry, env);
  const output = collectOutput(child);
  await once(child, "close");
  return { code: child.exitCode, output: output() };
}

/** Runs an entry as `start` in package.json does, without waiting for it. */
export function spawnProcess(entry: string, env: Record<string, string>): ChildProcess {
  return spawnEntry(entry, { ...SETTINGS, ...env }, FLAGS);
}
