import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "backend/test/free-port.ts";
import { collectOutput } from "backend/test/server-process.ts";
import { spawnProcess, STAFF_ENV, temporaryDirectory } from "../../e2e/support/product.ts";

/** Processes of the product on one database, with one data directory; disposing of them stops them. */
export interface Processes extends AsyncDisposable {
  urls: readonly string[];
  publishableKey: string;
  /** Ends a process with a signal and waits for its exit; returns the exit code. */
  end(index: number, signal: NodeJS.Signals): Promise<number | null>;
  /** Starts a process again on its port, and waits until it is ready. */
  start(index: number): Promise<void>;
  output(index: number): string;
}

/** Starts `number` processes of the site, one after the other, and waits until they are ready. */
export async function startProcesses(number: number, env: Record<string, string>): Promise<Processes> {
  const dataDir = await temporaryDirectory();
  const ports: number[] = [];
  for (let index = 0; index < number; index += 1) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const running: { child: ChildProcess; output: () => string }[] = [];

  async function start(index: number): Promise<void> {
    const PORT = String(ports[index]);
    const child = spawnProcess("server/build/site.js", { DATA_DIR: dataDir.path, ...STAFF_ENV, ...env, PORT });
    const output = collectOutput(child);
    running[index] = { child, output };
    const isReady = (): Promise<boolean> =>
      fetch(`${urls[index]}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`A process did not start:\n${output()}`);
      await delay(50);
    }
  }

  async function end(index: number, signal: NodeJS.Signals): Promise<number | null> {
    const child = running[index]?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const closed = once(child, "close");
    child.kill(signal);
    await closed;
    return child.exitCode;
  }

  for (let index = 0; index < number; index += 1) await start(index);
  const { publishableKey }: { publishableKey: string } = JSON.parse(await readFile(join(dataDir.path, "secrets.json"), "utf8"));
  return {
    urls,
    publishableKey,
    start,
    end,
    output: (index) => running[index]?.output() ?? "",
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((_, index) => end(index, "SIGKILL")));
      await dataDir[Symbol.asyncDispose]();
    },
  };
}
