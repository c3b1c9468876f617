import type { Database, Transaction } from "../../../backend/src/db/database.ts";
import { expect } from "vitest";

/**
 * Sends requests that all reach the rate limits before one of them is counted. PGlite runs one transaction at a time, so there the
 * requests run one after the other.
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

/** Sends requests while a statement holds a lock that they need, each after the previous one waits. On PGlite they run one after the other. */
export async function sendIntoLock<T>(database: Database, lock: string, requests: readonly (() => PromiseLike<T>)[]): Promise<T[]> {
  const sent: PromiseLike<T>[] = [];
  // `then` sends a request of supabase-js.
  const send = (request: () => PromiseLike<T>): number => sent.push(request().then((result) => result));
  if (database.kind === "pglite") {
    for (const request of requests) {
      send(request);
      await Promise.all(sent);
    }
  } else {
    await database.transaction(async (tx) => {
      await tx.query(lock);
      for (const request of requests) await untilBlocked(tx, send(request));
    });
  }
  return Promise.all(sent);
}

async function untilBlocked(tx: Transaction, requests: number): Promise<void> {
  // The databases of other test files are on the same server.
  const blocked = () =>
    tx.query(`select distinct pid from pg_locks join pg_database d on d.oid = database
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`);
  await expect.poll(async () => (await blocked()).length).toBeGreaterThanOrEqual(requests);
}
