import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { availableParallelism } from "node:os";

/** Draws pictures in processes of its own, a few at once. */
export interface Drawer<Order, Answer> {
  /**
   * Waits for its turn, has the order made and draws; null where too many wait already, and where the signal gives it up
   * before its turn. What is begun is finished.
   */
  draw(makeOrder: () => Promise<Order>, signal?: AbortSignal): Promise<Answer | Undrawn | null>;
  close(): Promise<void>;
}

/** Nothing came of an order, through no fault of what was to be drawn that its program could name. */
export interface Undrawn {
  failure: "too_slow" | "failed";
  reason: string;
}

interface Turn<Order, Answer> {
  makeOrder: () => Promise<Order>;
  done: PromiseWithResolvers<Answer | Undrawn | null>;
}

const MOST_WAITING = 200;
const LONGEST_DRAWING_MS = 30_000;
const IDLE_MS = 30_000;
// A decoder needs no keys and no database: of the environment only what finds the system's own files is passed on.
const PASSED_ON = ["PATH", "SystemRoot", "TMPDIR", "TEMP"];

/**
 * Makes the drawer of a program that serves orders (`draw-process.ts`), with names added to its environment. Its processes are
 * started by the first picture and end when there has been none for a while.
 */
export function createDrawer<Order extends Serializable, Answer>(program: URL, added: Record<string, string> = {}): Drawer<Order, Answer> {
  // One processor is left to the pages.
  const places = Math.max(1, Math.min(2, availableParallelism() - 1));
  const waiting = new Set<Turn<Order, Answer>>();
  const processes = new Set<ChildProcess>();
  /** Those without work, each with the timer that ends it. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  let drawing = 0;

  function begin(): void {
    const [turn] = waiting;
    if (!turn || drawing >= places) return;
    waiting.delete(turn);
    drawing += 1;
    drawOne(turn)
      .then(turn.done.resolve, turn.done.reject)
      .finally(() => {
        drawing -= 1;
        begin();
      });
  }

  async function drawOne({ makeOrder }: Turn<Order, Answer>): Promise<Answer | Undrawn> {
    const order = await makeOrder();
    const child = woken() ?? start();
    const answer = Promise.withResolvers<Answer | Undrawn>();
    const ended = (): void => answer.resolve({ failure: "failed", reason: "the process that draws has ended" });
    const deadline = setTimeout(() => {
      answer.resolve({ failure: "too_slow", reason: `not drawn in ${LONGEST_DRAWING_MS} ms` });
      child.kill("SIGKILL");
    }, LONGEST_DRAWING_MS);
    child.once("message", answer.resolve).once("exit", ended).once("error", ended);
    child.send(order, (error) => error && ended());
    const given = await answer.promise;
    clearTimeout(deadline);
    child.removeAllListeners("message").off("exit", ended).off("error", ended);
    if (child.connected && !child.killed) rest(child);
    return given;
  }

  function start(): ChildProcess {
    const passedOn = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const env = { ...Object.fromEntries(passedOn), ...added };
    const child = fork(program, { execArgv: ["--max-semi-space-size=4"], env, serialization: "advanced" });
    // Alone they keep no process from ending.
    child.unref();
    child.channel?.unref();
    processes.add(child);
    const gone = (): void => {
      processes.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
    };
    child.once("exit", gone).on("error", gone);
    return child;
  }

  function woken(): ChildProcess | undefined {
    const [found] = idle;
    if (!found) return undefined;
    const [child, end] = found;
    clearTimeout(end);
    idle.delete(child);
    return child;
  }

  function rest(child: ChildProcess): void {
    const end = setTimeout(() => {
      idle.delete(child);
      child.disconnect();
    }, IDLE_MS);
    idle.set(child, end.unref());
  }

  return {
    async draw(makeOrder, signal) {
      if (signal?.aborted || waiting.size >= MOST_WAITING) return null;
      const turn: Turn<Order, Answer> = { makeOrder, done: Promise.withResolvers() };
      const giveUp = (): void => {
        if (waiting.delete(turn)) turn.done.resolve(null);
      };
      signal?.addEventListener("abort", giveUp);
      waiting.add(turn);
      begin();
      try {
        return await turn.done.promise;
      } finally {
        signal?.removeEventListener("abort", giveUp);
      }
    },
    async close() {
      for (const turn of waiting) turn.done.resolve(null);
      waiting.clear();
      const ended = [...processes].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of processes) {
        child.ref();
        child.kill("SIGKILL");
      }
      await Promise.all(ended);
    },
  };
}
