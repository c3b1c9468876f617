import { Session } from "node:inspector";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";

/** The global function of PGlite's thread that cancels a statement. */
const CANCEL = "cancelStatement";

/**
 * Cancels a statement that runs in PGlite's thread, as a server does on a cancel request. While it computes, the thread receives
 * no message; only the inspector runs code in it. No port is opened. Resolves when the thread has received the cancellation or ended.
 * Node crashes if a thread starts or ends during the call (decision 036).
 */
export async function cancelStatement(worker: Worker, id: number): Promise<void> {
  const { promise: received, resolve: end } = Promise.withResolvers<void>();
  const session = new Session();
  session.connect();
  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.startsWith(`[worker ${worker.threadId}]`)) return;
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: `${CANCEL}(${id})` } });
    session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
  });
  session.on("NodeWorker.receivedMessageFromWorker", () => end());
  worker.once("exit", end);
  session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  await received;
  worker.off("exit", end);
  // The answer may arrive while `post` is running, and Node crashes if the session is closed then.
  await nextTurn();
  session.disconnect();
}

/** Runs the statement with this id. */
type RunCancellable = <T>(id: number, run: () => Promise<T>) => Promise<T>;

/** Lets `cancelStatement` cancel the statements of this thread. */
export function createCancellable(pg: PGlite): RunCancellable {
  const module = pg.Module;
  if (!isInterruptible(module)) throw new TypeError("This version of PGlite cannot be interrupted.");
  const { wasmMemory, _QueryCancelPending, _InterruptPending } = module;
  let running: number | undefined;
  let cancelled = false;

  // The flags that Postgres's signal handler sets, and that its loops check.
  function setPending(pending: 0 | 1): void {
    const memory = new Uint8Array(wasmMemory.buffer);
    memory[_QueryCancelPending] = pending;
    memory[_InterruptPending] = pending;
  }

  function cancel(id: number): void {
    if (id !== running) return;
    cancelled = true;
    setPending(1);
  }
  Object.assign(globalThis, { [CANCEL]: cancel });

  return async function runCancellable(id, run) {
    running = id;
    try {
      return await run();
    } finally {
      running = undefined;
      // A statement that ended first must not leave its cancellation to the next one.
      if (cancelled) setPending(0);
      cancelled = false;
    }
  };
}

/** The parts of PGlite's module used here, which its types do not contain. */
interface Interruptible {
  wasmMemory: WebAssembly.Memory;
  _QueryCancelPending: number;
  _InterruptPending: number;
}

function isInterruptible(module: object): module is Interruptible {
  return (
    "wasmMemory" in module &&
    module.wasmMemory instanceof WebAssembly.Memory &&
    "_QueryCancelPending" in module &&
    typeof module._QueryCancelPending === "number" &&
    "_InterruptPending" in module &&
    typeof module._InterruptPending === "number"
  );
}
