import type { Database } from "../../../backend/src/db/database.ts";
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
    if (database.kind === "pglite") return;
    const blocked = () => tx.query("select from pg_locks where cardinality(pg_blocking_pids(pid)) > 0 and not granted");
    await expect.poll(async () => (await blocked()).length).toBeGreaterThan(1);
  });
  return (await sent) ?? [];
}
