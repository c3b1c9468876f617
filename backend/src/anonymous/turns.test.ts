import { setImmediate as nextTask } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAnonymousTurns } from "./turns.ts";

test("after slow work the next one waits, and the result of the slow one does not", async () => {
  const takeTurn = createAnonymousTurns({ fast: 1, others: 1 });
  const { signal } = new AbortController();
  let started = 0;
  const work = async (onCost: (ms: number) => void): Promise<number> => {
    started += 1;
    onCost(500);
    return started;
  };
  const [first, second] = [takeTurn(false, work, signal), takeTurn(false, work, signal)];
  expect(await first).toBe(1);
  await nextTask();
  expect(started).toBe(1);
  expect(await second).toBe(2);
});
