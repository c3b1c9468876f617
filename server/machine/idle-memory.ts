import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import type { Job } from "backend";

const INTERVAL_MS = 20_000;
/** The share of the interval in which the event loop may have worked. */
const IDLE_UTILIZATION = 0.05;
/** A collection stops the process for 0.1 to 0.3 s, so there has to be something to gain. */
const WORTHWHILE_BYTES = 8 * 1024 * 1024;

/**
 * Returns the memory of a load to the system once the process is idle (decision 026). In an idle process V8 may keep the heap of
 * a peak, and glibc keeps freed pages that are between pieces in use.
 */
export function idleMemoryJob(): Job {
  let last = performance.eventLoopUtilization();
  let bytesAfterwards = 0;

  async function run(): Promise<void> {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > IDLE_UTILIZATION || process.memoryUsage.rss() < bytesAfterwards + WORTHWHILE_BYTES) return;
    await collectGarbage();
    await trimAllocator();
    bytesAfterwards = process.memoryUsage.rss();
  }

  return { name: "idle-memory", intervalMs: INTERVAL_MS, everyProcess: true, run };
}

/** Unlike `gc()`, this compacts the heap and returns its empty pages. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}

async function trimAllocator(): Promise<void> {
  if (process.platform !== "linux") return;
  try {
    const { dlopen } = await import("node:ffi");
    const { functions } = dlopen(null, { malloc_trim: { arguments: ["uint64"], return: "int32" } });
    functions.malloc_trim(0n);
  } catch {
    // A build of Node without `node:ffi`, or a C library without `malloc_trim`: they keep the pages.
  }
}
