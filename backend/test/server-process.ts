import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Flags for processes that run for seconds: the optimising WebAssembly compiler costs more time than it saves. */
export const SHORT_LIVED: readonly string[] = ["--liftoff-only"];

const LONGEST_START_MS = 300_000;

const running = new Set<ChildProcess>();
// Otherwise processes that a failed test or start has left would outlive the test process, which Vitest ends with SIGTERM.
process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A server in its own process, reached over HTTP; disposing of it stops it. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  child: ChildProcess;
  /** The output so far. */
  output(): string;
  /** Sends a signal, SIGTERM by default, and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

interface ServerProcessOptions {
  /** Flags for Node. */
  flags?: readonly string[];
  /** Path that responds with a status below 500 once the server is ready. */
  healthPath?: string;
  /** File that gets the log instead of `output`, so that reading it takes no processor time. */
  logFile?: string | undefined;
}

/** Starts a file of the repository as a server and waits until it responds. */
export async function startServer(
  entry: string,
  env: Record<string, string>,
  { flags = [], healthPath = "/auth/v1/health", logFile }: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawnEntry(entry, { PORT: String(port), ...env }, flags, [], logFile);
  const output = collectOutput(child);
  const closed = once(child, "close");
  const deadline = Date.now() + LONGEST_START_MS;
  while (!(await answers(url + healthPath))) {
    if (child.exitCode !== null || child.signalCode !== null) await closed;
    else if (Date.now() > deadline) child.kill("SIGKILL");
    else {
      await delay(30);
      continue;
    }
    throw new Error(`${entry} ended with ${child.signalCode ?? child.exitCode} before it was ready:\n${output()}`);
  }
  async function end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    child.kill(signal);
    await closed;
    return child.exitCode;
  }
  return { url, child, output, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** Runs a file of the repository in a process that inherits only PATH, HOME and the place of Node's compile cache. */
export function spawnEntry(
  entry: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
  args: readonly string[] = [],
  logFile?: string,
): ChildProcess {
  const { PATH = "", HOME = "", NODE_COMPILE_CACHE = "" } = process.env;
  const inherited = { PATH, HOME, ...(NODE_COMPILE_CACHE === "" ? {} : { NODE_COMPILE_CACHE }) };
  const stdout = logFile === undefined ? "pipe" : openSync(logFile, "a");
  const options = { cwd: ROOT, env: { ...inherited, ...env }, stdio: ["pipe", stdout, "pipe"] } satisfies SpawnOptions;
  const child = spawn(process.execPath, [...flags, entry, ...args], options);
  if (typeof stdout === "number") closeSync(stdout);
  running.add(child);
  return child.once("exit", () => running.delete(child));
}

/** Collects the output of a process; the returned function reads it. */
export function collectOutput(child: ChildProcess): () => string {
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
