import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { DatabaseError } from "./database.ts";
import type { Notification, Outcome, Statement, ThreadOptions, ThreadRequest, ThreadResponse } from "./pglite-messages.ts";

/** PGlite in a thread of its own, seen from the main thread. What is asked first is answered first. */
export interface Thread {
  /** Fails with a `DatabaseError`: Postgres's own, or 08006 when the thread has ended. */
  execute(statement: Statement): Promise<Outcome>;
  dump(): Promise<Uint8Array<ArrayBuffer>>;
  /** Shuts Postgres down, or ends the thread outright where that takes longer than `graceMs`. */
  close(graceMs: number): Promise<void>;
}

type Request = ThreadRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;
type Response = Extract<ThreadResponse, { id: number }>;

/** Starts the thread; resolves when its database answers. */
export async function startThread(
  options: ThreadOptions & { onNotification: (notification: Notification) => void; log: Logger },
): Promise<Thread> {
  const { directory, image, onNotification, log } = options;
  const threadOptions: ThreadOptions = { directory, image };
  const worker = new Worker(new URL("./pglite-worker.ts", import.meta.url), { workerData: threadOptions });
  const pending = new Map<number, PromiseWithResolvers<Response>>();
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let count = 0;
  let closing = false;
  let ended = false;

  worker.on("message", (response: ThreadResponse) => {
    if (response.kind === "ready") ready.resolve();
    else if (response.kind === "unusable") ready.reject(new Error(`The embedded database does not start: ${response.reason}`));
    else if (response.kind === "notification") onNotification(response.notification);
    else settle(response);
  });
  worker.on("error", (error) => {
    ready.reject(error);
    log.error({ err: error }, "the embedded database failed");
  });
  worker.on("exit", (code) => {
    ended = true;
    if (!closing) log.error({ code }, "the embedded database has ended; restart the process");
    ready.reject(endedError());
    for (const request of pending.values()) request.reject(endedError());
    pending.clear();
    exited.resolve();
  });

  function settle(response: Response): void {
    const request = pending.get(response.id);
    pending.delete(response.id);
    if (response.kind !== "failure") return request?.resolve(response);
    const { message, ...fields } = response.failure;
    request?.reject(new DatabaseError(message, fields));
  }

  function ask(request: Request): Promise<Response> {
    if (ended) return Promise.reject(endedError());
    count += 1;
    const answer = Promise.withResolvers<Response>();
    pending.set(count, answer);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none, unlike a window
    worker.postMessage({ ...request, id: count });
    return answer.promise;
  }

  async function close(graceMs: number): Promise<void> {
    closing = true;
    const deadline = setTimeout(() => void worker.terminate(), graceMs);
    // Where the thread ends before it answers, there is nothing left to close.
    await ask({ kind: "close" }).catch(() => undefined);
    await exited.promise;
    clearTimeout(deadline);
  }

  await ready.promise.catch(async (error: unknown) => {
    closing = true;
    await worker.terminate();
    throw error;
  });
  return {
    async execute(statement) {
      const response = await ask({ kind: "execute", statement });
      if (response.kind === "outcome") return response.outcome;
      throw new TypeError("a statement was answered with something else");
    },
    async dump() {
      const response = await ask({ kind: "dump" });
      if (response.kind === "image") return response.image;
      throw new TypeError("a dump was answered with something else");
    },
    close,
  };
}

function endedError(): DatabaseError {
  return new DatabaseError("The embedded database has ended.", { code: "08006" });
}
