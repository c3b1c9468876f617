import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const BYTES = Buffer.alloc(8192);
const PAUSE_MS = 100;

/** Measures the disk beside a load: writes 8 KB at the same place again and again, and syncs them. */
export async function measureSyncs(directory: string): Promise<() => Promise<number[]>> {
  const file = await open(join(directory, "syncs"), "w");
  await file.write(BYTES, 0, BYTES.length, 0);
  await file.sync();
  const times: number[] = [];
  const ended = new AbortController();
  const measuring = (async () => {
    while (!ended.signal.aborted) {
      const started = performance.now();
      await file.write(BYTES, 0, BYTES.length, 0);
      await file.datasync();
      times.push(performance.now() - started);
      await delay(PAUSE_MS);
    }
  })();
  /** Ends the measurement; returns the times in ms. */
  return async () => {
    ended.abort();
    await measuring;
    await file.close();
    return times;
  };
}
