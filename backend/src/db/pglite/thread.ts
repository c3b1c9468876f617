import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import * as SQLSTATE from "../../sqlstates.ts";
import { DatabaseError, type TransactionOptions } from "../database.ts";
import { cancelStatement } from "./cancel-statement.ts";
import type { Notification, Outcome, Statement, ThreadOptions, ThreadRequest, ThreadResponse } from "./messages.ts";

/** PGlite's thread, seen from the main thread. Requests are answered in order. */
export interface Thread {
  /**
   * Fails with a `DatabaseError`: Postgres's own, or 08006 when the thread has ended. A statement that runs longer than its
   * timeout is cancelled and fails with 57014; if it does not stop within a second, a thread with a directory is ended.
   */
  execute(statement: Statement, limits?: StatementLimits): Promise<Outcome>;
  /** Shuts Postgres down; ends the thread if that takes longer than `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** The limits of a transaction's statements. */
export type StatementLimits = Pick<TransactionOptions, "statementTimeoutMs" | "mayGrowMemory">;

type Request = ThreadRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;
type Response = Extract<ThreadResponse, { id: number }>;

interface ThreadHooks {
  onNotification: (notification: Notification) => void;
  /** Called when the thread ends without `close`. */
  onLost: () => void;
  log: Logger;
}

interface Pending {
  answer: PromiseWithResolvers<Response>;
  timeoutMs: number | undefined;
}

/**
 * Enough for Postgres's own limits of recursion. With Node's 4 MB the JavaScript engine interrupts Postgres first, for example in a
 * regular expression with nested bounds, and leaves its memory inconsistent.
 */
const STACK_MB = 64;

/** The time a cancelled statement has to stop; only a statement that blocks the thread, such as `pg_sleep`, does not. */
const CANCEL_GRACE_MS = 1000;

/** The time after which a statement that still runs is cancelled again: Postgres ignores a cancellation between two messages. */
const CANCEL_AGAIN_MS = 100;

/** The threads that start or end, until the turn after. Node crashes if a statement is cancelled meanwhile (decision 036). */
const changing = new Set<Promise<void>>();

/** Starts the thread; resolves when its database is ready. */
export async function startThread(options: ThreadOptions & ThreadHooks): Promise<Thread> {
  const { directory, image, module, extensions, onNotification, onLost, log } = options;
  const threadOptions: ThreadOptions = { directory, image, module, extensions };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: threadOptions,
    resourceLimits: { stackSizeMb: STACK_MB },
  });
  const pending = new Map<number, Pending>();
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let count = 0;
  let closing = false;
  let ended = false;
  let started = false;
  let overrunning: number | undefined;
  let deadline: NodeJS.Timeout | undefined;

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
    noteChange(exited.promise);
    clearTimeout(deadline);
    if (!closing && overrunning === undefined) log.error({ code }, "the embedded database has ended");
    ready.reject(endedError());
    for (const [id, { answer }] of pending) answer.reject(id === overrunning ? overrunError() : endedError());
    pending.clear();
    exited.resolve();
    if (started && !closing) onLost();
  });

  function settle(response: Response): void {
    const request = pending.get(response.id);
    pending.delete(response.id);
    const overran = response.id === overrunning;
    overrunning = undefined;
    watchFirst();
    if (response.kind !== "failure") return request?.answer.resolve(response);
    const { message, ...fields } = response.failure;
    if (overran && fields.code === SQLSTATE.queryCanceled) return request?.answer.reject(overrunError());
    request?.answer.reject(new DatabaseError(message, fields));
  }

  /** The first unanswered request is running; its time starts when the request before it is answered. */
  function watchFirst(): void {
    clearTimeout(deadline);
    const [first] = pending;
    if (first?.[1].timeoutMs === undefined) return;
    const [id, { timeoutMs }] = first;
    deadline = setTimeout(() => overrun(id, timeoutMs), timeoutMs);
    deadline.unref();
  }

  function overrun(id: number, timeoutMs: number | undefined): void {
    overrunning = id;
    log.warn({ timeoutMs }, "a statement ran too long; it is cancelled");
    void cancel(id);
  }

  async function cancel(id: number): Promise<void> {
    // Ending the thread would end a database in memory.
    if (directory !== undefined) deadline = setTimeout(terminate, CANCEL_GRACE_MS).unref();
    while (true) {
      while (changing.size > 0) await Promise.all(changing);
      if (ended || id !== overrunning) return;
      await cancelStatement(worker, id);
      await delay(CANCEL_AGAIN_MS, undefined, { ref: false });
    }
  }

  function terminate(): void {
    log.warn("a cancelled statement did not stop; the embedded database is ended");
    noteChange(exited.promise);
    void worker.terminate();
  }

  function ask(request: Request, timeoutMs?: number): Promise<Response> {
    if (ended) return Promise.reject(endedError());
    count += 1;
    const answer = Promise.withResolvers<Response>();
    pending.set(count, { answer, timeoutMs });
    if (pending.size === 1) watchFirst();
    worker.postMessage({ ...request, id: count });
    return answer.promise;
  }

  async function close(graceMs: number): Promise<void> {
    closing = true;
    noteChange(exited.promise);
    const patience = setTimeout(() => void worker.terminate(), graceMs);
    // A thread that has ended is closed.
    await ask({ kind: "close" }).catch(() => undefined);
    await exited.promise;
    clearTimeout(patience);
  }

  noteChange(ready.promise.catch(() => undefined));
  await ready.promise.catch(async (error: unknown) => {
    closing = true;
    noteChange(exited.promise);
    await worker.terminate();
    throw error;
  });
  started = true;
  return {
    async execute(statement, { statementTimeoutMs, mayGrowMemory = true } = {}) {
      const response = await ask({ kind: "execute", statement, mayGrowMemory }, statementTimeoutMs);
      if (response.kind === "outcome") return response.outcome;
      throw new TypeError("a statement has a result of the wrong kind");
    },
    close,
  };
}

/** Keeps cancellations waiting until the turn after this start or end of a thread. */
function noteChange(change: Promise<void>): void {
  const over = change.then(() => nextTurn());
  changing.add(over);
  void over.then(() => changing.delete(over));
}

function endedError(): DatabaseError {
  return new DatabaseError("The embedded database has ended.", { code: SQLSTATE.connectionFailure });
}

function overrunError(): DatabaseError {
  return new DatabaseError("canceling statement due to statement timeout", { code: SQLSTATE.queryCanceled });
}
