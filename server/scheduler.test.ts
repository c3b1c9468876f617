import type { Job } from "backend";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startScheduler } from "./scheduler.ts";

const log = pino({ level: "silent" });
const always = (): Promise<boolean> => Promise.resolve(true);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs a job after a minute and then once per interval, until it is stopped", async () => {
  const run = vi.fn<Job["run"]>(() => Promise.resolve());
  // Minutes: what another file of this process left behind may have timers too, and hours of them would take too long.
  const scheduler = startScheduler([{ name: "often", intervalMs: 90_000, run }], always, log);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(run).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(run).toHaveBeenCalledTimes(3);
  await scheduler.stop();
  await vi.advanceTimersByTimeAsync(90_000);
  expect(run).toHaveBeenCalledTimes(3);
});

test("claims a run before it starts, except for jobs of every process", async () => {
  const shared = vi.fn<Job["run"]>(() => Promise.resolve());
  const own = vi.fn<Job["run"]>(() => Promise.resolve());
  const jobs = [
    { name: "shared", intervalMs: 1000, run: shared },
    { name: "own", intervalMs: 1000, everyProcess: true, run: own },
  ];
  const scheduler = startScheduler(jobs, () => Promise.resolve(false), log);
  await vi.advanceTimersByTimeAsync(1000);
  expect(shared).not.toHaveBeenCalled();
  expect(own).toHaveBeenCalled();
  await scheduler.stop();
});

test("continues after a failure, never runs a job twice at the same time, and waits for it when stopped", async () => {
  let finish = (): void => undefined;
  const failing = vi.fn<Job["run"]>(() => Promise.reject(new Error("no")));
  const slow = vi.fn<Job["run"]>(() => new Promise<void>((resolve) => (finish = resolve)));
  const jobs = [
    { name: "failing", firstRunMs: 0, intervalMs: 1000, run: failing },
    { name: "slow", firstRunMs: 0, intervalMs: 1000, run: slow },
  ];
  const scheduler = startScheduler(jobs, always, log);
  await vi.advanceTimersByTimeAsync(5000);
  expect(failing.mock.calls.length).toBeGreaterThan(4);
  expect(slow).toHaveBeenCalledTimes(1);
  let stopped = false;
  const stopping = scheduler.stop().then(() => (stopped = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).toBe(false);
  finish();
  await stopping;
});
