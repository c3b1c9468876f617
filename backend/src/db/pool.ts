import * as SQLSTATE from "../sqlstates.ts";
import { DatabaseError } from "./database.ts";

/** A fixed set of members; each runs one task at a time, and tasks start in order of arrival. */
export interface Pool<M> {
  /**
   * Runs `task` with a free member, which is free again when the task ends or calls `free`.
   * An abort removes a waiting task, which fails with SQLSTATE 57014.
   */
  use<T>(task: (member: M, free: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The number of tasks that wait for a member. */
  waiting(): number;
  /** Refuses new and waiting tasks with SQLSTATE 08003; resolves when the running tasks have ended. */
  close(): Promise<void>;
}

interface PoolOptions<M> {
  /**
   * Makes a member ready for a task. A member that the server refuses with SQLSTATE 53300 rests for a moment, and its task is
   * given to the next free member.
   */
  prepare?: (member: M) => Promise<void>;
  /** The longest time that a task waits for a member; then it fails with SQLSTATE 53300. */
  patienceMs?: number;
}

const REST_MS = 1000;

/** Creates a pool of `members`; with one member it is a queue. */
export function createPool<M>(members: readonly M[], { prepare, patienceMs }: PoolOptions<M> = {}): Pool<M> {
  const idle = [...members];
  const waiting: PromiseWithResolvers<M>[] = [];
  const drained = Promise.withResolvers<void>();
  let running = 0;
  let closed = false;

  async function acquire(signal: AbortSignal | undefined): Promise<M> {
    const deadline = performance.now() + (patienceMs ?? Infinity);
    let member = await take(signal, deadline, (turn) => waiting.push(turn));
    while (!(await isReady(member))) member = await take(signal, deadline, (turn) => waiting.unshift(turn));
    return member;
  }

  async function take(signal: AbortSignal | undefined, deadline: number, queue: (turn: PromiseWithResolvers<M>) => void): Promise<M> {
    if (closed) throw closedError();
    if (signal?.aborted) throw cancelledError();
    const free = idle.pop();
    if (free !== undefined) return free;

    const turn = Promise.withResolvers<M>();
    queue(turn);
    const drop = (error: DatabaseError): void => {
      const index = waiting.indexOf(turn);
      if (index === -1) return;
      waiting.splice(index, 1);
      turn.reject(error);
    };
    const cancel = (): void => drop(cancelledError());
    signal?.addEventListener("abort", cancel);
    const timer = deadline === Infinity ? undefined : setTimeout(() => drop(noneFreeError()), deadline - performance.now());
    try {
      return await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  async function isReady(member: M): Promise<boolean> {
    if (!prepare) return true;
    try {
      await prepare(member);
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.code === SQLSTATE.tooManyConnections) {
        setTimeout(() => release(member, () => idle.unshift(member)), REST_MS).unref();
        return false;
      }
      release(member);
      throw error;
    }
  }

  function release(member: M, store: () => void = () => idle.push(member)): void {
    const next = waiting.shift();
    if (next) next.resolve(member);
    else store();
  }

  return {
    async use(task, signal) {
      running += 1;
      try {
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
      } finally {
        running -= 1;
        if (closed && running === 0) drained.resolve();
      }
    },
    waiting: () => waiting.length,
    close() {
      closed = true;
      for (const turn of waiting.splice(0)) turn.reject(closedError());
      if (running === 0) drained.resolve();
      return drained.promise;
    },
  };
}

/** The failure of a statement or a task whose `AbortSignal` aborted. */
export function cancelledError(): DatabaseError {
  return new DatabaseError("The request was cancelled.", { code: SQLSTATE.queryCanceled });
}

function closedError(): DatabaseError {
  return new DatabaseError("The database is closed.", { code: SQLSTATE.connectionDoesNotExist });
}

function noneFreeError(): DatabaseError {
  return new DatabaseError("No connection to the database is free.", { code: SQLSTATE.tooManyConnections });
}
