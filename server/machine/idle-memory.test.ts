import { constants, performance, type PerformanceEntry, type PerformanceNodeEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { expect, test, vi } from "vitest";
import { idleMemoryJob } from "./idle-memory.ts";

const MB = 1024 * 1024;

test("an idle process returns the memory of a load to the system; a busy one does not pause for it", async () => {
  const collections = countCollections();
  const job = idleMemoryJob();
  /** Runs the job until the process was idle between two runs. */
  const runUntilMoreThan = (count: number): Promise<void> =>
    vi.waitFor(
      async () => {
        await job.run();
        expect(await collections()).toBeGreaterThan(count);
      },
      { timeout: 30_000, interval: 300 },
    );
  await runUntilMoreThan(0);
  const before = getHeapStatistics().total_physical_size;
  const first = await collections();

  const load = fillHeap(64);
  expect(getHeapStatistics().total_physical_size - before).toBeGreaterThan(32 * MB);
  workFor(500);
  await job.run();
  expect(await collections()).toBe(first);

  load.length = 0;
  await runUntilMoreThan(first);
  expect(getHeapStatistics().total_physical_size - before).toBeLessThan(8 * MB);
}, 70_000);

/** Counts the collections of all available garbage, which V8 does not start by itself. */
function countCollections(): () => Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter(isCollection)) {
      if (entry.detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) count += 1;
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return async () => {
    await delay(50);
    return count;
  };
}

function isCollection(entry: PerformanceEntry): entry is PerformanceNodeEntry {
  return entry.entryType === "gc";
}

function fillHeap(megabytes: number): object[] {
  const rows: object[] = [];
  const { used_heap_size: start } = getHeapStatistics();
  while (getHeapStatistics().used_heap_size - start < megabytes * MB) {
    for (let index = 0; index < 10_000; index += 1) rows.push({ index, text: `row ${index}` });
  }
  return rows;
}

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
