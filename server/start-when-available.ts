import { setTimeout as delay } from "node:timers/promises";
import { DatabaseError } from "backend";
import type { Logger } from "pino";

const LONGEST_WAIT_MS = 60_000;
const PAUSE_MS = 1000;

/**
 * Runs a start, and again for a minute while the database cannot be reached, as after a restart of the machine that runs both. A start
 * that fails must close what it opened.
 */
export async function startWhenAvailable<T>(start: () => Promise<T>, log: Logger): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.isOutage) || performance.now() > deadline) throw error;
      const about = { code: error.code, reason: error.message };
      if (isFirst) log.warn(about, "the database is not available: the start waits for it, a minute at most");
      await delay(PAUSE_MS);
    }
  }
}
