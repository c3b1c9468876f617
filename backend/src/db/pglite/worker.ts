import { parentPort, workerData } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { createCancellable } from "./cancel-statement.ts";
import { startEngine } from "./engine.ts";
import type { ThreadOptions, ThreadRequest, ThreadResponse } from "./messages.ts";
import { createProtocol } from "./protocol.ts";

// PGlite computes in the thread that calls it; in its own thread a slow statement does not block the process.
if (!parentPort) throw new Error("This file runs as a worker thread.");
const port = parentPort;
const options: ThreadOptions = workerData;
const lastWords: string[] = [];
/** False while the memory must not grow. */
let mayGrowMemory = true;

try {
  serve(await startEngine({ ...options, mayGrow: () => mayGrowMemory, onStderr: remember }));
} catch (error) {
  send({ kind: "unusable", reason: [error instanceof Error ? error.message : String(error), ...lastWords].join("\n") });
}

function serve(pg: PGlite): void {
  const run = createProtocol(pg);
  const runCancellable = createCancellable(pg);
  let turn = Promise.resolve();

  async function answer(request: ThreadRequest): Promise<void> {
    const { id } = request;
    if (request.kind === "execute") {
      ({ mayGrowMemory } = request);
      const { result, notifications } = await runCancellable(id, () => run(request.statement));
      // Sent before the result, so that announcements are delivered before the commit resolves.
      for (const notification of notifications) send({ kind: "notification", notification });
      send("failure" in result ? { kind: "failure", id, ...result } : { kind: "outcome", id, ...result });
      mayGrowMemory = true;
    } else {
      await pg.close();
      send({ kind: "closed", id });
      port.close();
    }
  }

  // If `answer` itself fails, Postgres has ended: the unhandled rejection ends the thread, and the main thread is notified.
  port.on("message", (request: ThreadRequest) => {
    turn = turn.then(() => answer(request));
  });
  send({ kind: "ready" });
}

function send(response: ThreadResponse): void {
  port.postMessage(response);
}

function remember(line: string): void {
  lastWords.push(line);
  if (lastWords.length > 20) lastWords.shift();
}
