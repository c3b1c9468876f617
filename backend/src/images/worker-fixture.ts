import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { serveTasks } from "./image-worker.ts";

export type TimedTask = z.infer<typeof TIMED_TASK>;

/** A task that keeps the processor busy, or waits, for a time. */
const TIMED_TASK = z.object({ kind: z.enum(["busy", "waiting"]), ms: z.number() });

// A worker whose tasks take a known time.
await serveTasks(() => Promise.resolve({ run }));

async function run(task: unknown): Promise<{ pid: number }> {
  const { kind, ms } = TIMED_TASK.parse(task);
  const end = performance.now() + ms;
  while (kind === "busy" && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
  if (kind === "waiting") await delay(ms);
  return { pid: process.pid };
}
