import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { cpuTime } from "../cpu-time.ts";
import { spread } from "../load.ts";
import { measureSyncs } from "./disk.ts";
import type { ReadTask } from "./reader.ts";
import { ask, end, type Side } from "./sides.ts";

const WARM_UP_ROUNDS = 2;
const SECONDS = 3;
const CHANGES_PER_SECOND = 50;
const READS_PER_SECOND = 40;

/**
 * Measures the delay from the request of a write to all subscribers, which are connected, and the times of reads meanwhile. With the
 * directory of the data it measures the syncs of that disk too: each change waits for one.
 */
export async function measureChanges(side: Side, sockets: number, rounds: number, directory?: string): Promise<void> {
  const reader = fork(new URL("./reader.ts", import.meta.url));
  const count = CHANGES_PER_SECOND * SECONDS;
  const [costs, delays, idle, busy, load]: [number[], number[], number[], number[], number[]] = [[], [], [], [], []];
  const endSyncs = directory === undefined ? undefined : await measureSyncs(directory);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const idleTimes = await read(reader, side);
    const before = cpuTime(side.pid);
    const receiving = ask(side, { kind: "changes", expected: count * sockets });
    const reading = read(reader, side);
    const requests = await write(side, count, (round + WARM_UP_ROUNDS) * count);
    const busyTimes = await reading;
    const { receipts, received, cpu, seconds } = await receiving;
    if (received < count * sockets) console.log(`  only ${received} of ${count * sockets} changes arrived in time`);
    if (round < 0) continue;
    costs.push(((cpuTime(side.pid) - before) / received) * 1e6);
    load.push((cpu / seconds) * 100);
    for (const [id, at] of receipts) delays.push(at - (requests.get(id) ?? Number.NaN));
    idle.push(...idleTimes);
    busy.push(...busyTimes);
  }
  await end(reader);
  const syncs = (await endSyncs?.()) ?? [];
  for (const times of [delays, idle, busy, syncs]) times.sort((a, b) => a - b);
  console.log(
    `  ${side.name}: from the request of a write to ${sockets} subscribers at ${CHANGES_PER_SECOND} changes/s: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms; ` +
      `CPU per frame, with the writes and reads meanwhile, ${spread(costs, 1)} µs; the generator used ${spread(load, 0)} % of a core`,
  );
  console.log(
    `  ${side.name}: reads p50 ${quantile(idle, 0.5)} ms, p99 ${quantile(idle, 0.99)} ms idle; p50 ${quantile(busy, 0.5)} ms, p99 ${quantile(busy, 0.99)} ms meanwhile`,
  );
  if (syncs.length > 0)
    console.log(`  a sync of this disk: p50 ${quantile(syncs, 0.5)} ms, p99 ${quantile(syncs, 0.99)} ms, longest ${quantile(syncs, 1)} ms`);
}

/** Writes rows at a fixed rate; returns the time of each request in ms since 1970. */
async function write({ tableUrl, headers }: Side, count: number, firstId: number): Promise<ReadonlyMap<number, number>> {
  const requests = new Map<number, number>();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await delay(Math.max(0, (index * 1000) / CHANGES_PER_SECOND - (performance.now() - started)));
      requests.set(firstId + index, performance.timeOrigin + performance.now());
      const body = JSON.stringify({ id: firstId + index, note: "a seat" });
      const response = await fetch(tableUrl, { method: "POST", headers, body });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A write failed: ${response.status}`);
    }),
  );
  return requests;
}

async function read(reader: ChildProcess, { tableUrl, headers }: Side): Promise<number[]> {
  const answer = once(reader, "message");
  const task: ReadTask = { url: `${tableUrl}?select=id&limit=20`, headers, perSecond: READS_PER_SECOND, seconds: SECONDS };
  reader.send(task);
  const [times]: number[][] = await answer;
  return times ?? [];
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1);
}
