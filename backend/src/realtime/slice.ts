import { setImmediate as nextTurn } from "node:timers/promises";

/** The longest time of work for many clients before other work of the event loop has its turn; a single step may take longer. */
export const SLICE_MS = 0.25;

/** Returns the function that waits for the next turn of the event loop if `SLICE_MS` have passed since the last wait. */
export function createPause(): () => Promise<void> | undefined {
  let end = performance.now() + SLICE_MS;

  async function pause(): Promise<void> {
    await nextTurn();
    end = performance.now() + SLICE_MS;
  }

  return () => (performance.now() < end ? undefined : pause());
}
