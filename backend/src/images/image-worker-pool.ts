import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { availableParallelism } from "node:os";

/** Processes that run image work, a few at a time. A decoder that crashes or takes much memory does not affect the server (decision 016). */
interface ImageWorkerPool<Task, Result> {
  /**
   * Makes the task when a worker is free and runs it. Null if the queue or the share of the client in it is full, or if
   * `signal` aborts before a worker is free; a task in progress is finished.
   */
  run(makeTask: () => Promise<Task>, options?: RunOptions): Promise<Result | WorkerFailure | null>;
  close(): Promise<void>;
}

export interface RunOptions {
  signal?: AbortSignal;
  /** The client network whose share of the queue the task takes; null for the server's own tasks. */
  client?: string | null;
}

/** The task failed for a reason unrelated to the image. */
export interface WorkerFailure {
  failure: "too_slow" | "failed";
  reason: string;
}

/** A task as a worker receives it, with the most processor time that it may use. */
export interface WorkerMessage<Task> {
  task: Task;
  processorMs: number;
}

interface QueuedTask<Task, Result> {
  makeTask: () => Promise<Task>;
  client: string | null;
  done: PromiseWithResolvers<Result | WorkerFailure | null>;
}

const MAX_QUEUED = 200;
const MAX_QUEUED_PER_CLIENT = 16;
// Processor time, because a worker has a low priority: on a busy machine it waits much longer than it works.
const MAX_PROCESSOR_MS = 30_000;
// For a worker that hangs without using the processor.
const MAX_TASK_MS = 240_000;
const IDLE_MS = 30_000;
// A worker gets no keys and no database address: only the variables that locate the system's own files.
const PASSED_ENVIRONMENT = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TMPDIR", "TEMP"];

/**
 * Makes the pool of a program that calls `serveTasks` (image-worker.ts), with additional environment variables. The workers
 * start with the first task and end when they have been idle for a while. A shorter limit of processor time is for tests.
 */
export function createWorkerPool<Task extends Serializable, Result extends object>(
  program: URL,
  environment: Record<string, string> = {},
  processorMs = MAX_PROCESSOR_MS,
): ImageWorkerPool<Task, Result> {
  // One processor is left to the pages.
  const maxWorkers = Math.max(1, Math.min(2, availableParallelism() - 1));
  /** The queued tasks of each client. The first client is served next and then moves to the end, so that none waits for all tasks of another. */
  const queues = new Map<string | null, Set<QueuedTask<Task, Result>>>();
  const workers = new Set<ChildProcess>();
  /** Idle workers, each with the timer that ends it. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  let busy = 0;

  function startNext(): void {
    const [queue] = queues.values();
    const [next] = queue ?? [];
    if (!queue || !next || busy >= maxWorkers) return;
    remove(next);
    if (queue.size > 0) {
      queues.delete(next.client);
      queues.set(next.client, queue);
    }
    busy += 1;
    runTask(next)
      .then(next.done.resolve, next.done.reject)
      .finally(() => {
        busy -= 1;
        startNext();
      });
  }

  function add(task: QueuedTask<Task, Result>): void {
    const queue = queues.get(task.client) ?? new Set();
    queues.set(task.client, queue.add(task));
  }

  /** Returns true if the task was in the queue. */
  function remove(task: QueuedTask<Task, Result>): boolean {
    const queue = queues.get(task.client);
    const wasQueued = queue?.delete(task) === true;
    if (queue?.size === 0) queues.delete(task.client);
    return wasQueued;
  }

  async function runTask({ makeTask }: QueuedTask<Task, Result>): Promise<Result | WorkerFailure> {
    const task = await makeTask();
    const worker = takeIdle() ?? startWorker();
    const result = Promise.withResolvers<Result | WorkerFailure>();
    const ended = (): void => result.resolve({ failure: "failed", reason: "the worker process has ended" });
    const deadline = setTimeout(() => result.resolve({ failure: "too_slow", reason: `not finished in ${MAX_TASK_MS} ms` }), MAX_TASK_MS);
    worker.once("message", result.resolve).once("exit", ended).once("error", ended);
    worker.send({ task, processorMs } satisfies WorkerMessage<Task>, (error) => error && ended());
    const received = await result.promise;
    clearTimeout(deadline);
    worker.removeAllListeners("message").off("exit", ended).off("error", ended);
    if ("failure" in received && received.failure === "too_slow") worker.kill("SIGKILL");
    else if (worker.connected) setIdle(worker);
    return received;
  }

  function startWorker(): ChildProcess {
    const passed = PASSED_ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const env = { ...Object.fromEntries(passed), ...environment };
    const worker = fork(program, { execArgv: ["--max-semi-space-size=4"], env, serialization: "advanced" });
    // Idle workers do not keep the server's process alive.
    worker.unref();
    worker.channel?.unref();
    workers.add(worker);
    const forget = (): void => {
      workers.delete(worker);
      clearTimeout(idle.get(worker));
      idle.delete(worker);
    };
    worker.once("exit", forget).on("error", forget);
    return worker;
  }

  function takeIdle(): ChildProcess | undefined {
    const [found] = idle;
    if (!found) return undefined;
    const [worker, timer] = found;
    clearTimeout(timer);
    idle.delete(worker);
    return worker;
  }

  function setIdle(worker: ChildProcess): void {
    const timer = setTimeout(() => {
      idle.delete(worker);
      worker.disconnect();
    }, IDLE_MS);
    idle.set(worker, timer.unref());
  }

  return {
    async run(makeTask, { signal, client = null } = {}) {
      if (signal?.aborted || queues.values().reduce((sum, queue) => sum + queue.size, 0) >= MAX_QUEUED) return null;
      if (client !== null && (queues.get(client)?.size ?? 0) >= MAX_QUEUED_PER_CLIENT) return null;
      const queued: QueuedTask<Task, Result> = { makeTask, client, done: Promise.withResolvers() };
      const leave = (): void => {
        if (remove(queued)) queued.done.resolve(null);
      };
      signal?.addEventListener("abort", leave);
      add(queued);
      startNext();
      try {
        return await queued.done.promise;
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
    async close() {
      for (const queued of queues.values().flatMap((queue) => queue.values())) queued.done.resolve(null);
      queues.clear();
      const ended = [...workers].map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
      for (const worker of workers) {
        worker.ref();
        worker.kill("SIGKILL");
      }
      await Promise.all(ended);
    },
  };
}
