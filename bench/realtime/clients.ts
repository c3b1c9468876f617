import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

// The clients of the benchmark, in a process of their own. The parent sends a `Task` and gets its result.

/** A task of the clients. */
export type Task =
  | { kind: "open"; url: string; sockets: number; join: object | null }
  /** Sends the binary `frame`, one character per byte, `count` times: again when all `receivers` have received it. */
  | { kind: "send"; frame: string; count: number; receivers: number }
  /** Collects for each change the time of each receipt, until all are there. */
  | { kind: "changes"; expected: number };

export interface Result {
  received: number;
  seconds: number;
  /** The user and system time of this process in seconds. */
  cpu: number;
  /** Receipts of rows: the id and the time in ms since 1970. */
  receipts: [id: number, at: number][];
}

const LONGEST_MS = 30_000;
/** The service disconnects a client that is silent for a minute. */
const HEARTBEAT_MS = 25_000;
const sockets: WebSocket[] = [];
let received = 0;
let receipts: Result["receipts"] = [];
/** The number of received frames at which the next one is sent. */
let awaited = 0;
let onAwaited = (): void => undefined;

function receive(data: WebSocket.RawData): void {
  received += 1;
  if (received === awaited) onAwaited();
  const text = Buffer.isBuffer(data) ? data.toString("latin1") : "";
  const id = /"record":\{"id":(\d+)/.exec(text)?.[1];
  if (id !== undefined) receipts.push([Number(id), performance.timeOrigin + performance.now()]);
}

async function open({ url, sockets: count, join }: Extract<Task, { kind: "open" }>): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, "open");
    if (join) {
      // The answer to the join, and the message about the subscription.
      const { promise, resolve } = Promise.withResolvers<void>();
      const needed = JSON.stringify(join).includes("postgres_changes") ? 2 : 1;
      let answers = 0;
      socket.on("message", () => {
        answers += 1;
        if (answers === needed) resolve();
      });
      socket.send(JSON.stringify(["1", "1", "realtime:bench", "phx_join", { config: join }]));
      await promise;
      socket.removeAllListeners("message");
      // Of subscribers only: their answers are not counted as changes.
      if (needed === 2) setInterval(() => socket.send(JSON.stringify([null, "2", "phoenix", "heartbeat", {}])), HEARTBEAT_MS);
    }
    socket.on("message", receive);
    sockets.push(socket);
  }
}

async function send(task: Extract<Task, { kind: "send" }>): Promise<void> {
  const frame = Buffer.from(task.frame, "latin1");
  for (let sent = 0; sent < task.count; sent += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited = received + task.receivers;
    onAwaited = resolve;
    sockets[0]?.send(frame);
    await promise;
  }
}

async function run(task: Task): Promise<Result> {
  received = 0;
  receipts = [];
  const started = performance.now();
  const before = process.cpuUsage();
  if (task.kind === "open") await open(task);
  if (task.kind === "send") await send(task);
  if (task.kind === "changes") while (receipts.length < task.expected && performance.now() - started < LONGEST_MS) await delay(20);
  const { user, system } = process.cpuUsage(before);
  return {
    received: task.kind === "changes" ? receipts.length : received,
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    receipts,
  };
}

process.on("message", (task: Task) => void run(task).then((result) => process.send?.(result)));
process.on("disconnect", () => process.exit());
