import { setTimeout as delay } from "node:timers/promises";
import { startPostgresServer } from "backend/test/postgres/server.ts";
import { startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";
import { type Acknowledged, countLost, writeUntilStopped } from "./writers.ts";

const LONGEST_RECOVERY_MS = 30_000;

/** Restarts the PostgreSQL server under mixed writes, while the product keeps running. */
export async function restartPostgres(seconds: number): Promise<Result> {
  const server = await startPostgresServer({ durable: true });
  if (!server) return { ok: true, skipped: "no PostgreSQL runs here", figures: {} };
  await using directory = await roundDirectory();
  const acknowledged: Acknowledged = { rows: [], files: [] };
  try {
    await using product = await startProduct(directory.path, { DATABASE_URL: server.url("postgres") });
    const staff = await product.staff();
    const end = performance.now() + seconds * 1000;
    let restarts = 0;
    let longest = 0;
    do {
      const stop = new AbortController();
      const writing = writeUntilStopped(staff, acknowledged, stop.signal);
      await delay(500 + Math.random() * 2000);
      await (restarts % 2 === 0 ? server.stop() : server.kill());
      restarts += 1;
      await delay(500);
      await server.start();
      const started = performance.now();
      while ((await staff.from("course_dates").select("id").limit(1)).error && performance.now() - started < LONGEST_RECOVERY_MS)
        await delay(20);
      longest = Math.max(longest, performance.now() - started);
      stop.abort();
      await writing;
    } while (performance.now() < end);
    const lost = await countLost(staff, acknowledged);
    const figures = { restarts, "acknowledged rows": acknowledged.rows.length, lost, "reads again after ms": Math.round(longest) };
    return { ok: lost === 0 && longest < LONGEST_RECOVERY_MS, figures };
  } finally {
    await server.remove();
  }
}
