import { setPriority } from "node:os";
import type { WorkerFailure } from "./image-worker-pool.ts";

/**
 * Makes this process a worker of an image worker pool: it runs one task at a time and ends with its parent. Threads inherit
 * the priority of the thread that starts them, so it is lowered before `load` imports the image library.
 */
export async function serveTasks(load: () => Promise<{ run(task: unknown): Promise<unknown> }>): Promise<void> {
  setPriority(10);
  const { run } = await load();
  process.on("disconnect", () => process.exit());
  process.on("message", (task) => {
    run(task).then(send, (error: unknown) =>
      send({ failure: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : "unknown" } satisfies WorkerFailure),
    );
  });
}

function send(result: unknown): void {
  process.send?.(result);
}
