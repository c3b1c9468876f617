import type { Database, Transaction } from "../../../backend/src/db/database.ts";
import { expect } from "vitest";

/**
 * Sends requests that all reach the rate limits before one of them is counted. PGlite runs one transaction at a time, so there they
 * follow each other.
 */
export async function sendAtTheSameTime<T>(database: Database, requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  let sent: Promise<T[]> | undefined;
  await database.transaction(async (tx) => {
    await tx.script("lock table private.rate_limit_counts in exclusive mode");
    sent = Promise.all(requests.map((send) => send()));
    if (database.kind !== "pglite") await untilBlocked(tx, 2);
  });
  return (await sent) ?? [];
}

/** Sends two requests while a statement locks what both need; the second is sent once the first waits. On PGlite they follow each other. */
export async function sendIntoLock<A, B>(
  database: Database,
  lock: string,
  first: () => PromiseLike<A>,
  second: () => PromiseLike<B>,
): Promise<[A, B]> {
  if (database.kind === "pglite") return [await first(), await second()];
  let sent: Promise<[A, B]> | undefined;
  await database.transaction(async (tx) => {
    await tx.query(lock);
    // `then` sends a request of supabase-js.
    const one = first().then((result) => result);
    await untilBlocked(tx, 1);
    const two = second().then((result) => result);
    await untilBlocked(tx, 2);
    sent = Promise.all([one, two]);
  });
  if (!sent) throw new Error("Nothing was sent.");
  return sent;
}

async function untilBlocked(tx: Transaction, requests: number): Promise<void> {
  const blocked = () => tx.query("select from pg_locks where cardinality(pg_blocking_pids(pid)) > 0 and not granted");
  await expect.poll(async () => (await blocked()).length).toBeGreaterThanOrEqual(requests);
}
