import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "backend";
import type { Logger } from "pino";

/** A running scheduler. */
interface Scheduler {
  /** Starts no further run and waits a moment for those in progress. */
  stop(): Promise<void>;
}

const FIRST_RUN_MS = 60_000;
const STOP_PATIENCE_MS = 500;

/**
 * Runs each job soon and then once per interval, if `claim` grants the run to this process. A run that takes longer than its
 * interval skips the next one.
 */
export function startScheduler(jobs: readonly Job[], claim: (job: Job) => Promise<boolean>, log: Logger): Scheduler {
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();

  async function runJob(job: Job): Promise<void> {
    try {
      if (job.everyProcess || (await claim(job))) await job.run();
    } catch (error) {
      log.error({ err: error, job: job.name }, "a scheduled job failed");
    }
  }

  function start(job: Job): void {
    if (running.has(job.name)) return;
    running.set(
      job.name,
      runJob(job).finally(() => running.delete(job.name)),
    );
  }

  for (const job of jobs) {
    timers.push(setTimeout(start, job.firstRunMs ?? FIRST_RUN_MS, job).unref(), setInterval(start, job.intervalMs, job).unref());
  }
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await Promise.race([Promise.all(running.values()), delay(STOP_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}
