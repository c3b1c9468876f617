import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RunningProcess, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { median, spread } from "./load.ts";
import type { Result, Task } from "./realtime/clients.ts";

// The realtime service of the production build against bare `ws` in the same Node with the same flags, in turns: CPU time per frame of an
// echo and of a broadcast to 1,000 sockets. Both receive the frame that the official client sends and send as many bytes. Then the delay from
// the request of a write, which is earlier than its commit, to 1,000 subscribers, the memory of idle sockets, and reads while all of them
// receive changes.

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SOCKETS = Number(process.env["SOCKETS"] ?? 1000);
const WARM_UP_ROUNDS = 3;
const SECONDS = 3;
const FANOUT_PER_SECOND = 10;
const ECHO_PER_SECOND = 1000;
const CHANGES_PER_SECOND = 50;
const READS_PER_SECOND = 40;
const KEYS = ["sb_publishable_benchmark_of_realtime", "sb_secret_benchmark_of_realtime_0"] as const;

const PROJECT = `[realtime]
max_concurrent_users = 5000
max_users_per_network = 5000
max_events_per_second = 100000
max_anonymous_frames_per_second = 1000000
`;
const TABLE = `create table public.seats (id int primary key, note text);
grant select, insert on public.seats to service_role;
alter publication supabase_realtime add table public.seats;`;

interface Side {
  name: string;
  url: string;
  process: RunningProcess;
  join: object | null;
}

await using directory = await temporaryDirectory();
const supabaseDir = join(directory.path, "supabase");
await mkdir(join(supabaseDir, "migrations"), { recursive: true });
await writeFile(join(supabaseDir, "config.toml"), PROJECT);
await writeFile(join(supabaseDir, "migrations/20260101000000_seats.sql"), TABLE);

/** A broadcast as `realtime-js` sends it in version 2.0.0: kind 3, the lengths of the names, JSON, the names, and the payload. */
function broadcastFrame(): Buffer {
  const names = ["1", "7", "realtime:bench", "e", ""];
  return Buffer.concat([
    Buffer.from([3, ...names.map((name) => name.length), 1]),
    Buffer.from(names.join("") + JSON.stringify({ text: "x".repeat(100) })),
  ]);
}

async function ours(): Promise<Side> {
  // Without a proxy, all connections from one address are at most 256.
  const env = { SUPABASE_DIR: supabaseDir, DATA_DIR: join(directory.path, crypto.randomUUID()), LOG_LEVEL: "error", TRUST_PROXY: "1" };
  const started = await startProcess("server/build/backend.js", { ...env, PUBLISHABLE_KEY: KEYS[0], SECRET_KEY: KEYS[1] });
  const url = `${started.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0&apikey=${KEYS[1]}`;
  return { name: "realtime", url, process: started, join: { broadcast: { self: true } } };
}

async function bare(isToAll: boolean): Promise<Side> {
  const started = await startProcess("bench/realtime/bare-server.ts", { TO_ALL: String(isToAll) }, "/");
  return { name: "bare ws", url: started.url.replace("http", "ws"), process: started, join: null };
}

for (const isToAll of [false, true]) {
  const sides = [await ours(), await bare(isToAll)];
  const clients = sides.map(() => fork(new URL("./realtime/clients.ts", import.meta.url)));
  const cost = sides.map(() => [] as number[]);
  const generator: number[] = [];
  for (const [index, side] of sides.entries())
    await ask(clients[index], { kind: "open", url: side.url, sockets: isToAll ? SOCKETS : 1, join: side.join });
  const perSecond = isToAll ? FANOUT_PER_SECOND : ECHO_PER_SECOND;
  const expected = isToAll ? SOCKETS : 1;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [index, side] of sides.entries()) {
      const before = cpuTime(side.process.pid ?? 0);
      const result = await ask(clients[index], {
        kind: "send",
        frame: broadcastFrame().toString("latin1"),
        perSecond,
        seconds: SECONDS,
        expected,
      });
      if (result.received < perSecond * SECONDS * expected) throw new Error(`${side.name}: ${result.received} frames arrived`);
      // The first rounds warm both sides up.
      if (round >= 0) cost[index]?.push(((cpuTime(side.process.pid ?? 0) - before) / result.received) * 1e6);
      if (round >= 0 && side.name === "bare ws") generator.push(result.received / result.cpu);
    }
  }
  const [own = [], limit = []] = cost;
  const ratios = own.map((value, round) => (limit[round] ?? Number.NaN) / value);
  console.log(
    `  ${isToAll ? `broadcast to ${SOCKETS} sockets` : "echo"}: ${spread(ratios, 2)} of bare ws; CPU per frame ${spread(own, 1)} µs and ${spread(limit, 1)} µs; ` +
      `the generator can receive ${Math.round(median(generator))}/s`,
  );
  for (const child of clients) await end(child);
  for (const side of sides) await side.process.stop();
}

for (const [what, payload] of [
  ["a channel", null],
  ["a subscription", {}],
] as const) {
  const idleSide = await ours();
  const idleClients = fork(new URL("./realtime/clients.ts", import.meta.url));
  console.log(
    `  memory of ${SOCKETS} idle sockets without ${what}: ${(await memoryOfSockets(idleSide, idleClients, payload)).toFixed(0)} MB`,
  );
  await end(idleClients);
  await idleSide.process.stop();
}

const side = await ours();
const clients = fork(new URL("./realtime/clients.ts", import.meta.url));
const changes = { postgres_changes: [{ event: "*", schema: "public", table: "seats" }] };
const memory = await memoryOfSockets(side, clients, changes);
console.log(`  memory of ${SOCKETS} idle sockets with a subscription: ${memory.toFixed(0)} MB`);

const costs: number[] = [];
const delays: number[] = [];
const idle: number[] = [];
const busy: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  idle.push(...(await read(SECONDS)));
  const count = CHANGES_PER_SECOND * SECONDS;
  const before = cpuTime(side.process.pid ?? 0);
  const receiving = ask(clients, { kind: "changes", expected: count * SOCKETS });
  const reading = read(SECONDS);
  const requests = new Map<number, number>();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await delay(Math.max(0, (index * 1000) / CHANGES_PER_SECOND - (performance.now() - started)));
      const id = round * count + index;
      requests.set(id, performance.timeOrigin + performance.now());
      await request("seats", { method: "POST", body: JSON.stringify({ id, note: "a seat" }) });
    }),
  );
  busy.push(...(await reading));
  const { receipts, received, cpu, seconds } = await receiving;
  if (received < count * SOCKETS) console.log(`  only ${received} of ${count * SOCKETS} changes arrived in time`);
  costs.push(((cpuTime(side.process.pid ?? 0) - before) / received) * 1e6);
  if (round > 0) for (const [id, at] of receipts) delays.push(at - (requests.get(id) ?? Number.NaN));
  if (round === 1)
    console.log(
      `  the generator used ${((cpu / seconds) * 100).toFixed(0)} % of a core to receive ${Math.round(received / seconds)} changes/s`,
    );
}
for (const times of [delays, idle, busy]) times.sort((a, b) => a - b);
console.log(`  CPU per frame of a change, with the writes and reads meanwhile: ${spread(costs, 1)} µs`);
console.log(
  `  from the request of a write to ${SOCKETS} subscribers at ${CHANGES_PER_SECOND} changes/s: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`,
);
console.log(
  `  reads: p50 ${quantile(idle, 0.5)} ms, p99 ${quantile(idle, 0.99)} ms idle; p50 ${quantile(busy, 0.5)} ms, p99 ${quantile(busy, 0.99)} ms meanwhile`,
);
await end(clients);
await side.process.stop();

/** Opens the sockets; returns the memory that they take in MB. */
async function memoryOfSockets({ url, process: { pid } }: Side, generator: ChildProcess, payload: object | null): Promise<number> {
  // The first client loads the service.
  await ask(generator, { kind: "open", url, sockets: 1, join: payload ?? {} });
  const before = await residentMb(pid);
  await ask(generator, { kind: "open", url, sockets: SOCKETS - 1, join: payload });
  await delay(2000);
  return (await residentMb(pid)) - before;
}

async function ask(child: ChildProcess | undefined, task: Task): Promise<Result> {
  if (!child) throw new Error("There are no clients.");
  const answer = once(child, "message");
  child.send(task);
  const [result]: Result[] = await answer;
  if (!result) throw new Error("The clients do not answer.");
  return result;
}

/** Reads rows at a fixed rate; returns the times in ms. */
async function read(seconds: number): Promise<number[]> {
  const started = performance.now();
  const times = Array.from({ length: READS_PER_SECOND * seconds }, async (_, index) => {
    await delay(Math.max(0, (index * 1000) / READS_PER_SECOND - (performance.now() - started)));
    const asked = performance.now();
    await request("seats?select=id&limit=20");
    return performance.now() - asked;
  });
  return Promise.all(times);
}

async function request(path: string, init: RequestInit = {}): Promise<void> {
  const headers = { apikey: KEYS[1], "Content-Type": "application/json" };
  const response = await fetch(`${side.process.url}/rest/v1/${path}`, { ...init, headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`A request failed: ${response.status}`);
}

async function residentMb(pid: number | undefined): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${String(pid)}/status`, "utf8"))?.[1]) / 1024;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1);
}
