import { afterEach, expect, test, vi } from "vitest";
import { createWorkerPool } from "./image-worker-pool.ts";
import type { TimedTask } from "./worker-fixture.ts";

const PROGRAM = new URL("./worker-fixture.ts", import.meta.url);

afterEach(() => {
  vi.useRealTimers();
});

test("a task that waits for the processor is not ended, whatever the time on the clock", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using pool = openPool();
  const waiting = pool.run("waiting", 1000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await waiting).toEqual({ pid: expect.any(Number) });
});

test("a task that uses too much processor time is ended, and the next one gets another worker", async () => {
  await using pool = openPool(500);
  const first = await pool.run("waiting", 0);
  expect(await pool.run("busy", 120_000)).toEqual({ failure: "too_slow", reason: "not finished in 500 ms of processor time" });
  const next = await pool.run("waiting", 0);
  expect(next).toEqual({ pid: expect.any(Number) });
  expect(next).not.toEqual(first);
});

test("a task that never ends without using the processor is ended after minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using pool = openPool();
  const hanging = pool.run("waiting", 600_000);
  await vi.advanceTimersByTimeAsync(240_000);
  expect(await hanging).toEqual({ failure: "too_slow", reason: "not finished in 240000 ms" });
});

function openPool(processorMs?: number) {
  const { run, close } = createWorkerPool<TimedTask & Record<string, string | number>, { pid: number }>(PROGRAM, {}, processorMs);
  return {
    run: (kind: TimedTask["kind"], ms: number) => run(() => Promise.resolve({ kind, ms })),
    [Symbol.asyncDispose]: close,
  };
}
