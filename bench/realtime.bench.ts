import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../backend/test/free-port.ts";
import { temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { median, spread } from "./load.ts";
import type { Result, Task } from "./realtime/clients.ts";

// The realtime service against bare `ws` in the same Node, in turns: CPU time per frame of an echo and of a broadcast to 1,000 sockets;
// then the delay from a commit to 1,000 subscribers, the memory of idle sockets, and reads while all of them receive changes.

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SOCKETS = Number(process.env["SOCKETS"] ?? 1000);
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
grant select on public.seats to service_role;
alter publication supabase_realtime add table public.seats;`;

interface Side {
  name: string;
  url: string;
  child: ChildProcess;
  join: object | null;
  /** A broadcast to all, or to its sender alone. */
  frame(isToAll: boolean): string;
}

await using directory = await temporaryDirectory();
const supabaseDir = join(directory.path, "supabase");
await mkdir(join(supabaseDir, "migrations"), { recursive: true });
await writeFile(join(supabaseDir, "config.toml"), PROJECT);
await writeFile(join(supabaseDir, "migrations/20260101000000_seats.sql"), TABLE);

const text = "x".repeat(100);
const ours = async (): Promise<Side> => {
  const { port, child } = await start("backend-server.ts", [supabaseDir, ...KEYS]);
  return {
    name: "realtime",
    url: `ws://127.0.0.1:${port}/realtime/v1/websocket?vsn=2.0.0&apikey=${KEYS[1]}`,
    child,
    join: { broadcast: { self: true } },
    frame: () => JSON.stringify([null, null, "realtime:bench", "broadcast", { type: "broadcast", event: "e", payload: { text } }]),
  };
};
const bare = async (): Promise<Side> => {
  const { port, child } = await start("bare-server.ts", []);
  return { name: "bare ws", url: `ws://127.0.0.1:${port}`, child, join: null, frame: (isToAll) => (isToAll ? "a" : "e") + text };
};

for (const isToAll of [false, true]) {
  const sides = [await ours(), await bare()];
  const clients = sides.map(() => fork(new URL("./realtime/clients.ts", import.meta.url)));
  const cost = sides.map(() => [] as number[]);
  const generator: number[] = [];
  for (const [index, side] of sides.entries())
    await ask(clients[index], { kind: "open", url: side.url, sockets: isToAll ? SOCKETS : 1, join: side.join });
  const perSecond = isToAll ? FANOUT_PER_SECOND : ECHO_PER_SECOND;
  const expected = isToAll ? SOCKETS : 1;
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, side] of sides.entries()) {
      const before = cpuTime(side.child.pid ?? 0);
      const result = await ask(clients[index], { kind: "send", frame: side.frame(isToAll), perSecond, seconds: SECONDS, expected });
      if (result.received < perSecond * SECONDS * expected) throw new Error(`${side.name}: ${result.received} frames arrived`);
      // The first round warms both sides up.
      if (round >= 0) cost[index]?.push(((cpuTime(side.child.pid ?? 0) - before) / result.received) * 1e6);
      if (round >= 0 && side.name === "bare ws") generator.push(result.received / result.cpu);
    }
  }
  const [own = [], limit = []] = cost;
  const ratios = own.map((value, round) => (limit[round] ?? Number.NaN) / value);
  console.log(
    `  ${isToAll ? `broadcast to ${SOCKETS} sockets` : "echo"}: ${spread(ratios, 2)} of bare ws; CPU per frame ${spread(own, 1)} µs and ${spread(limit, 1)} µs; ` +
      `the generator can receive ${Math.round(median(generator))}/s`,
  );
  for (const child of [...clients, ...sides.map((side) => side.child)]) await end(child);
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
  await end(idleSide.child);
}

const side = await ours();
const origin = new URL(side.url.replace("ws", "http")).origin;
const clients = fork(new URL("./realtime/clients.ts", import.meta.url));
const changes = { postgres_changes: [{ event: "*", schema: "public", table: "seats" }] };
const memory = await memoryOfSockets(side, clients, changes);
console.log(`  memory of ${SOCKETS} idle sockets with a subscription: ${memory.toFixed(0)} MB`);
const idle = await read(SECONDS * 2);

const delays: number[] = [];
const busy: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const count = CHANGES_PER_SECOND * SECONDS;
  const receiving = ask(clients, { kind: "changes", expected: count * SOCKETS });
  const reading = read(SECONDS);
  const commits = new Map<number, number>();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await delay(Math.max(0, (index * 1000) / CHANGES_PER_SECOND - (performance.now() - started)));
      const { id, at }: { id: number; at: number } = await (await fetch(`${origin}/insert`, { method: "POST" })).json();
      commits.set(id, at);
    }),
  );
  busy.push(...(await reading));
  const { receipts, received, cpu, seconds } = await receiving;
  if (received < count * SOCKETS) console.log(`  only ${received} of ${count * SOCKETS} changes arrived in time`);
  if (round > 0) for (const [id, at] of receipts) delays.push(at - (commits.get(id) ?? Number.NaN));
  if (round === 1)
    console.log(
      `  the generator used ${((cpu / seconds) * 100).toFixed(0)} % of a core to receive ${Math.round(received / seconds)} changes/s`,
    );
}
delays.sort((a, b) => a - b);
busy.sort((a, b) => a - b);
console.log(
  `  from commit to ${SOCKETS} subscribers at ${CHANGES_PER_SECOND} changes/s: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`,
);
console.log(
  `  reads: p50 ${quantile(idle, 0.5)} ms, p99 ${quantile(idle, 0.99)} ms idle; p50 ${quantile(busy, 0.5)} ms, p99 ${quantile(busy, 0.99)} ms meanwhile`,
);
await end(clients);
await end(side.child);

/** Opens the sockets; returns the memory that they take in MB. */
async function memoryOfSockets({ url, child }: Side, generator: ChildProcess, payload: object | null): Promise<number> {
  // The first client loads the service.
  await ask(generator, { kind: "open", url, sockets: 1, join: payload ?? {} });
  const before = await residentMb(child.pid);
  await ask(generator, { kind: "open", url, sockets: SOCKETS - 1, join: payload });
  await delay(2000);
  return (await residentMb(child.pid)) - before;
}

async function start(file: string, args: readonly string[]): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "realtime", file), String(port), ...args], { stdio: "inherit" });
  while (!(await accepts(port))) await delay(50);
  return { port, child };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve((socket.destroy(), true)));
    socket.on("error", () => resolve(false));
  });
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
    const response = await fetch(`${origin}/rest/v1/seats?select=id&limit=20`, { headers: { apikey: KEYS[1] } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A read failed: ${response.status}`);
    return performance.now() - asked;
  });
  return (await Promise.all(times)).toSorted((a, b) => a - b);
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
