import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../backend/test/free-port.ts";
import { temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { spread } from "./load.ts";

// From `npm start` in an installed and built checkout to the first page: with an empty data directory, then with that directory (bar: 1.5 s).
// The CPU time of all threads of the server depends little on what else the machine does.

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const ROOT = join(import.meta.dirname, "..");

/** Milliseconds from the command to the end of each stage, and the server's CPU time. */
interface Start {
  setup: number;
  listening: number;
  firstPage: number;
  cpu: number;
}

await using directory = await temporaryDirectory();
const empty: Start[] = [];
for (let round = 0; round < 3; round += 1) empty.push(await start(join(directory.path, `data-${round}`)));
const existing: Start[] = [];
for (let round = 0; round < ROUNDS; round += 1) existing.push(await start(join(directory.path, "data-0")));
print("empty data directory", empty);
print("existing data directory", existing);

function print(name: string, starts: readonly Start[]): void {
  const of = (stage: (each: Start) => number): string => spread(starts.map(stage), 0);
  console.log(
    `  ${name}: npm and setup ${of(({ setup }) => setup)} ms, modules ${of(({ setup, listening }) => listening - setup)} ms, ` +
      `database and first page ${of(({ listening, firstPage }) => firstPage - listening)} ms; ` +
      `in all ${of(({ firstPage }) => firstPage)} ms, CPU time of the server ${of(({ cpu }) => cpu)} ms`,
  );
}

async function start(dataDir: string): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  // Without its own level, npm prints nothing under `npm run -s`.
  const npm = spawn("npm", ["start", "--loglevel=notice"], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const elapsed = (): number => performance.now() - began;
  let setup = Number.NaN;
  // npm prints each command before it runs it.
  npm.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (chunk.includes("server/build/site.js")) setup = elapsed();
  });
  let listening = Number.NaN;
  for (let status = 0; status !== 200; status = await request(port)) {
    if (npm.exitCode !== null) throw new Error("npm start failed");
    if (status === 503 && Number.isNaN(listening)) listening = elapsed();
    await delay(5);
  }
  const firstPage = elapsed();
  // The shell that npm starts becomes the server.
  const server = Number(readFileSync(`/proc/${npm.pid}/task/${npm.pid}/children`, "utf8").trim());
  const cpu = cpuTime(server) * 1000;
  npm.kill();
  await once(npm, "close");
  return { setup, listening, firstPage, cpu };
}

/** The status of the home page; 0 while nothing listens. */
async function request(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  await response?.bytes();
  return response?.status ?? 0;
}
