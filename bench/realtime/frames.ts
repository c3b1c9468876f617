import { cpuTime } from "../cpu-time.ts";
import { median, spread } from "../load.ts";
import { ask, type Side } from "./sides.ts";

const ROUNDS = 60;
/** Frames that each side receives first: until then V8 runs much of the code in the interpreter. */
const WARM_UP_FRAMES = 40_000;
const ROUND_FRAMES = { echo: 500, broadcast: 10_000 } as const;

/** A broadcast as `realtime-js` sends it in version 2.0.0: kind 3, the lengths of the names, JSON, the names, and the payload. */
function broadcastFrame(): string {
  const names = ["1", "7", "realtime:bench", "e", ""];
  return Buffer.concat([
    Buffer.from([3, ...names.map((name) => name.length), 1]),
    Buffer.from(names.join("") + JSON.stringify({ text: "x".repeat(100) })),
  ]).toString("latin1");
}

/** Compares the CPU time per frame of the product and bare `ws`, in turns: the next frame is sent when all `receivers` have the last one. */
export async function compareFrames(what: "echo" | "broadcast", product: Side, bare: Side, receivers: number): Promise<void> {
  await ask(product, { kind: "open", url: product.socketUrl, sockets: receivers, join: { broadcast: { self: true } } });
  await ask(bare, { kind: "open", url: bare.socketUrl, sockets: receivers, join: null });
  const own: number[] = [];
  const limit: number[] = [];
  const generator: number[] = [];

  async function send(side: Side, frames: number): Promise<number> {
    const before = cpuTime(side.pid);
    const { received, cpu } = await ask(side, { kind: "send", frame: broadcastFrame(), count: frames / receivers, receivers });
    if (side === bare) generator.push(received / cpu);
    return ((cpuTime(side.pid) - before) / received) * 1e6;
  }

  for (const side of [product, bare]) await send(side, Math.max(WARM_UP_FRAMES, 100 * receivers));
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(await send(product, ROUND_FRAMES[what]));
    limit.push(await send(bare, ROUND_FRAMES[what]));
  }
  const ratios = own.map((value, round) => (limit[round] ?? Number.NaN) / value);
  const name = receivers > 1 ? `${what} to ${receivers} sockets` : what;
  console.log(
    `  ${name}: ${spread(ratios)} of bare ws; CPU per frame ${spread(own, 1)} µs and ${spread(limit, 1)} µs; ` +
      `the generator can receive ${Math.round(median(generator))}/s`,
  );
}
