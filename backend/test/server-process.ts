import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_START_MS = 120_000;

/** A server of ours in a process of its own, reached over HTTP as its users reach it; disposing of it ends it. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  child: ChildProcess;
  /** Everything it has printed that has come here so far. */
  output(): string;
  /** Ends it, unless it has ended, and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ServerProcessOptions {
  /** Flags of Node. */
  flags?: readonly string[];
  /** What answers with less than 500 once the server is ready. */
  healthPath?: string;
}

/** Starts a file of the repository as a server and waits until it answers. */
export async function startServer(
  entry: string,
  env: Record<string, string>,
  { flags = [], healthPath = "/auth/v1/health" }: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawnEntry(entry, { PORT: String(port), ...env }, flags);
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
    throw new Error(`${entry} did not start:\n${output()}`);
  }
  async function end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    child.kill(signal);
    await closed;
    return child.exitCode;
  }
  return { url, child, output, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** Runs a file of the repository in a process with nothing of this one's environment but where programs and homes are. */
export function spawnEntry(entry: string, env: Record<string, string>, flags: readonly string[] = []): ChildProcess {
  const inherited = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  return spawn(process.execPath, [...flags, entry], { cwd: ROOT, env: { ...inherited, ...env } });
}

/** Gives what a process has printed so far; when it closes, that is all. */
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
