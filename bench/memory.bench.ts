import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startServer } from "../backend/test/server-process.ts";
import { type RunningProcess, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { residentMegabytes } from "../torture/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { drive, spread } from "./load.ts";
import { PATH } from "./read-dates.ts";

// Resident memory of the whole product on PGlite: idle, during reads, renders and writes, and a minute after. Then what the flags
// and settings of `npm start` cost: CPU time of an uncached home, against the same product without them.

const SECONDS = 30;
const SETTLE_MS = 75_000;
const MOST_MEGABYTES = 240;
const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const RENDERS = 40;
const COURSE_DATE = { course_name: "Lvl 2 CCTV", course_date: "2031-06-01T09:00:00Z" };

interface Side {
  url: string;
  pid: number | undefined;
  secretKey: string;
}

await measureMemory();
await measureRenders();

async function measureMemory(): Promise<void> {
  await using directory = await temporaryDirectory();
  await using site = await startProcess("server/build/site.js", { DATA_DIR: directory.path, LOG_LEVEL: "silent" });
  const { url, pid, secretKey } = await sideOf(site, directory.path);
  await delay(SETTLE_MS);
  const idle = await residentMegabytes(pid);
  const during: number[] = [];
  const sampling = setInterval(() => void residentMegabytes(pid).then((megabytes) => during.push(megabytes)), 500);
  const headers = { apikey: secretKey, "Content-Type": "application/json" };
  const load = { seconds: SECONDS, headers, connections: 8 };
  const results = await Promise.all([
    drive({ ...load, url, rate: 100 }),
    drive({ ...load, url: url + PATH, rate: 100 }),
    // Each drops the cached pages, so that they are rendered again.
    drive({ ...load, url: `${url}/rest/v1/course_dates`, method: "POST", body: JSON.stringify(COURSE_DATE), rate: 20 }),
  ]);
  clearInterval(sampling);
  const failures = results.reduce((sum, result) => sum + result.failures, 0);
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const loaded = await residentMegabytes(pid);
  await delay(SETTLE_MS);
  console.log(
    `  PGlite: ${idle} MB idle, ${Math.max(...during)} MB at most under load, ${loaded} MB at its end (bar ${MOST_MEGABYTES}), ` +
      `${await residentMegabytes(pid)} MB ${SETTLE_MS / 1000} s after`,
  );
}

async function measureRenders(): Promise<void> {
  await using directory = await temporaryDirectory();
  const env = { NODE_ENV: "production", LOG_LEVEL: "silent", DATA_DIR: join(directory.path, "tuned") };
  await using site = await startProcess("server/build/site.js", env);
  const tuned = await sideOf(site, env.DATA_DIR);
  const plainEnv = { ...env, DATA_DIR: join(directory.path, "plain") };
  await using server = await startServer("server/build/site.js", plainEnv, { healthPath: "/health" });
  const plain = await sideOf({ url: server.url, pid: server.child.pid }, plainEnv.DATA_DIR);
  for (const side of [tuned, plain]) await renderTime(side, 4 * RENDERS);
  const times: { tuned: number; plain: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push({ tuned: await renderTime(tuned, RENDERS), plain: await renderTime(plain, RENDERS) });
  }
  const own = times.map((time) => time.tuned);
  const ratios = times.map((time) => time.tuned / time.plain);
  console.log(
    `  a write and an uncached home: ${spread(own)} ms of CPU, ${spread(ratios)} of the same without flags and settings (bar 1.1)`,
  );
}

/** Milliseconds of CPU for a write that drops the cached home, and the home rendered again. */
async function renderTime({ url, pid = 0, secretKey }: Side, count: number): Promise<number> {
  const headers = { apikey: secretKey, "Content-Type": "application/json" };
  const before = cpuTime(pid);
  for (let index = 0; index < count; index += 1) {
    const body = JSON.stringify({ capacity: 10 + (index % 2) });
    await succeed(fetch(`${url}/rest/v1/course_dates?course_name=eq.Manual%20Handling`, { method: "PATCH", headers, body }));
    await succeed(fetch(url));
  }
  return ((cpuTime(pid) - before) / count) * 1000;
}

async function succeed(request: Promise<Response>): Promise<void> {
  const response = await request;
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

async function sideOf({ url, pid }: Pick<RunningProcess, "url" | "pid">, dataDir: string): Promise<Side> {
  const { secretKey }: { secretKey: string } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return { url, pid, secretKey };
}
