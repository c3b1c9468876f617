import { setPriority } from "node:os";
import type { WorkerFailure, WorkerMessage } from "./image-worker-pool.ts";

const CHECK_MS = 250;

/**
 * Makes this process a worker of an image worker pool: it runs one task at a time and ends with its parent. Threads inherit
 * the priority of the thread that starts them, so it is lowered before `load` imports the image library.
 */
export async function serveTasks(load: () => Promise<{ run(task: unknown): Promise<unknown> }>): Promise<void> {
  setPriority(10);
  const { run } = await load();
  process.on("disconnect", () => process.exit());
  process.on("message", ({ task, processorMs }: WorkerMessage<unknown>) => {
    const begun = process.cpuUsage();
    const check = setInterval(() => {
      const { user, system } = process.cpuUsage(begun);
      if (user + system > processorMs * 1000)
        send({ failure: "too_slow", reason: `not finished in ${processorMs} ms of processor time` } satisfies WorkerFailure);
    }, CHECK_MS);
    const failed = (error: unknown): void =>
      send({ failure: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : "unknown" } satisfies WorkerFailure);
    void run(task)
      .then(send, failed)
      .finally(() => clearInterval(check));
  });
}

function send(result: unknown): void {
  process.send?.(result);
}
