import { setTimeout as delay } from "node:timers/promises";

// Reads a table at a fixed rate, in a process of its own: other work of a process would be measured as time of the read.

/** A task of the reader; it answers with the times in ms. */
export interface ReadTask {
  url: string;
  headers: Record<string, string>;
  perSecond: number;
  seconds: number;
}

async function read({ url, headers, perSecond, seconds }: ReadTask): Promise<number[]> {
  const started = performance.now();
  const times = Array.from({ length: perSecond * seconds }, async (_, index) => {
    await delay(Math.max(0, (index * 1000) / perSecond - (performance.now() - started)));
    const start = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A read failed: ${response.status}`);
    return performance.now() - start;
  });
  return Promise.all(times);
}

process.on("message", (task: ReadTask) => void read(task).then((times) => process.send?.(times)));
process.on("disconnect", () => process.exit());
