import { DatabaseError } from "./database.ts";

/** A fixed set of members; each runs one task at a time, and tasks start in order of arrival. */
export interface Pool<M> {
  /**
   * Runs `task` with a free member, which is free again when the task ends or calls `free`.
   * An abort removes a waiting task, which fails with SQLSTATE 57014.
   */
  use<T>(task: (member: M, free: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Refuses new and waiting tasks with SQLSTATE 08003; resolves when the running tasks have ended. */
  close(): Promise<void>;
}

/** Creates a pool of `members`; with one member it is a queue. */
export function createPool<M>(members: readonly M[]): Pool<M> {
  const idle = [...members];
  const waiting: PromiseWithResolvers<M>[] = [];
  const drained = Promise.withResolvers<void>();
  let closed = false;

  async function acquire(signal: AbortSignal | undefined): Promise<M> {
    if (closed) throw closedError();
    if (signal?.aborted) throw cancelledError();
    const free = idle.pop();
    if (free !== undefined) return free;

    const turn = Promise.withResolvers<M>();
    waiting.push(turn);
    const drop = (): void => {
      const index = waiting.indexOf(turn);
      if (index === -1) return;
      waiting.splice(index, 1);
      turn.reject(cancelledError());
    };
    signal?.addEventListener("abort", drop);
    try {
      return await turn.promise;
    } finally {
      signal?.removeEventListener("abort", drop);
    }
  }

  function release(member: M): void {
    const next = waiting.shift();
    if (next) return next.resolve(member);
    idle.push(member);
    if (closed && idle.length === members.length) drained.resolve();
  }

  return {
    async use(task, signal) {
      const member = await acquire(signal);
      let lent = true;
      const free = (): void => {
        if (lent) release(member);
        lent = false;
      };
      try {
        return await task(member, free);
      } finally {
        free();
      }
    },
    close() {
      closed = true;
      for (const turn of waiting.splice(0)) turn.reject(closedError());
      if (idle.length === members.length) drained.resolve();
      return drained.promise;
    },
  };
}

/** The failure of a statement or a task whose `AbortSignal` aborted. */
export function cancelledError(): DatabaseError {
  return new DatabaseError("The request was cancelled.", { code: "57014" });
}

function closedError(): DatabaseError {
  return new DatabaseError("The database is closed.", { code: "08003" });
}
