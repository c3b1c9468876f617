import { setTimeout as delay } from "node:timers/promises";
import { startPostgresServer } from "backend/test/postgres/server.ts";
import { startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";
import { type Acknowledged, countLost, writeUntilStopped } from "./writers.ts";

/** Kills the product with SIGKILL under mixed writes, starts it again and looks for every acknowledged row and file. */
export async function killEmbedded(seconds: number): Promise<Result> {
  await using directory = await roundDirectory();
  return killRepeatedly(seconds, directory.path, {});
}

/** Does the same on a PostgreSQL server, which is killed in every second turn instead. */
export async function killPostgres(seconds: number): Promise<Result> {
  const server = await startPostgresServer({ durable: true });
  if (!server) return { ok: true, skipped: "no PostgreSQL runs here", figures: {} };
  await using directory = await roundDirectory();
  try {
    return await killRepeatedly(seconds, directory.path, { DATABASE_URL: server.url("postgres") }, async (turn) => {
      if (turn % 2 === 0) return false;
      await server.kill();
      await delay(500);
      await server.start();
      return true;
    });
  } finally {
    await server.remove();
  }
}

async function killRepeatedly(
  seconds: number,
  dataDir: string,
  env: Record<string, string>,
  killDatabase: (turn: number) => Promise<boolean> = () => Promise.resolve(false),
): Promise<Result> {
  const end = performance.now() + seconds * 1000;
  const acknowledged: Acknowledged = { rows: [], files: [] };
  let kills = 0;
  let slowestStart = 0;
  let product = await startProduct(dataDir, env);
  do {
    const stop = new AbortController();
    const writing = writeUntilStopped(await product.staff(), acknowledged, stop.signal);
    await delay(500 + Math.random() * 3000);
    const databaseKilled = await killDatabase(kills);
    if (databaseKilled) await delay(2000);
    kills += 1;
    stop.abort();
    await product.end(databaseKilled ? "SIGTERM" : "SIGKILL");
    await writing;
    const started = performance.now();
    product = await startProduct(dataDir, env);
    slowestStart = Math.max(slowestStart, performance.now() - started);
  } while (performance.now() < end);
  const lost = await countLost(await product.staff(), acknowledged);
  await product.end();
  const { rows, files } = acknowledged;
  const figures = { kills, "acknowledged rows": rows.length, files: files.length, lost, "slowest start ms": Math.round(slowestStart) };
  return { ok: lost === 0 && rows.length > 0, figures };
}
