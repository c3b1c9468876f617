import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "../../e2e/support/product.ts";
import type { Result, Task } from "./clients.ts";

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

/** A server with its clients. */
export interface Side extends AsyncDisposable {
  name: string;
  pid: number;
  /** The address of WebSockets. */
  socketUrl: string;
  /** The address of the table. */
  tableUrl: string;
  headers: Record<string, string>;
  clients: ChildProcess;
}

/** Starts the backend of the product with an empty table of seats, in a new directory below `parent`. */
export async function startProduct(parent: string): Promise<Side> {
  const directory = join(parent, crypto.randomUUID());
  const supabaseDir = join(directory, "supabase");
  await mkdir(join(supabaseDir, "migrations"), { recursive: true });
  await writeFile(join(supabaseDir, "config.toml"), PROJECT);
  await writeFile(join(supabaseDir, "migrations/20260101000000_seats.sql"), TABLE);
  // Without a proxy, all connections from one address are at most 256.
  const env = { SUPABASE_DIR: supabaseDir, DATA_DIR: join(directory, "data"), LOG_LEVEL: "error", TRUST_PROXY: "1" };
  const server = await startProcess("server/build/backend.js", { ...env, PUBLISHABLE_KEY: KEYS[0], SECRET_KEY: KEYS[1] });
  return sideOf("realtime", server, `/realtime/v1/websocket?vsn=2.0.0&apikey=${KEYS[1]}`, "/rest/v1/seats");
}

/** Starts bare `ws`, which sends each frame to its sender or to all. */
export async function startBare(isToAll: boolean): Promise<Side> {
  const server = await startProcess("bench/realtime/bare-server.ts", { TO_ALL: String(isToAll) }, { healthPath: "/" });
  return sideOf("bare ws", server, "/", "/");
}

function sideOf(name: string, server: RunningProcess, socketPath: string, tablePath: string): Side {
  const clients = fork(new URL("./clients.ts", import.meta.url));
  return {
    name,
    pid: server.pid ?? 0,
    socketUrl: server.url.replace("http", "ws") + socketPath,
    tableUrl: server.url + tablePath,
    headers: { apikey: KEYS[1], "Content-Type": "application/json" },
    clients,
    async [Symbol.asyncDispose]() {
      await end(clients);
      await server.stop();
    },
  };
}

/** Gives the clients a task and waits for its result. */
export async function ask({ clients }: Side, task: Task): Promise<Result> {
  const answer = once(clients, "message");
  clients.send(task);
  const [result]: Result[] = await answer;
  if (!result) throw new Error("The clients do not answer.");
  return result;
}

export async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill();
  await exited;
}
