import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../backend/test/free-port.ts";
import { startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { drive, spread } from "./load.ts";
import { startNginx } from "./cached-page/nginx.ts";
import { hasWrk, saturate } from "./cached-page/wrk.ts";

// A cached page against a bare Node server, and nginx where it is installed, that send the same bytes and headers:
// CPU time of the server per request at a fixed rate, then requests per second at full load. The site and nginx log each request to a
// file: a pipe would take a part of two processors to read.

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const RATE = 1500;
const SECONDS = 3;
/** V8 compiles the code of the site for the first 15 s. */
const WARM_UP_SECONDS = 20;
const HEADERS = { "accept-encoding": "br" };

interface Side {
  name: string;
  url: string;
  pid: number;
}

await using directory = await temporaryDirectory();
const logFile = join(directory.path, "log");
const site = await startProcess("server/build/site.js", { DATA_DIR: join(directory.path, "data") }, { logFile });
const { headers, body } = await receive(site.url);
const file = join(directory.path, "home.br");
await writeFile(file, body);

const ports = [await freePort(), await freePort()] as const;
const node = spawn(process.execPath, [
  join(import.meta.dirname, "cached-page/static-server.ts"),
  String(ports[0]),
  file,
  JSON.stringify(headers),
]);
const nginx = await startNginx(ports[1], directory.path, file, headers);
try {
  await delay(1000);
  const sides: Side[] = [
    { name: "site", url: site.url, pid: site.pid ?? 0 },
    { name: "site, link with tracking parameters", url: `${site.url}/?utm_source=news&fbclid=abc`, pid: site.pid ?? 0 },
    { name: "bare Node", url: `http://127.0.0.1:${ports[0]}`, pid: node.pid ?? 0 },
  ];
  await measureCpu(sides);
  if (nginx) sides.push({ name: "nginx", url: `http://127.0.0.1:${ports[1]}`, pid: nginx.pid ?? 0 });
  await measureThroughput(sides);
} finally {
  node.kill();
  nginx?.kill();
  await site.stop();
}

async function measureCpu(sides: readonly Side[]): Promise<void> {
  for (const { url } of sides) await drive({ url, headers: HEADERS, rate: RATE, seconds: WARM_UP_SECONDS });
  const rounds = sides.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { url, pid }] of sides.entries()) {
      const before = cpuTime(pid);
      const { requests, failures } = await drive({ url, headers: HEADERS, rate: RATE, seconds: SECONDS });
      if (failures > 0) throw new Error(`${failures} requests failed`);
      rounds[index]?.push(((cpuTime(pid) - before) / requests) * 1e6);
    }
  }
  const bare = rounds.at(-1) ?? [];
  for (const [index, { name }] of sides.entries()) {
    const own = rounds[index] ?? [];
    const ratios = own.map((time, round) => time / (bare[round] ?? Number.NaN));
    console.log(`  ${name}: ${spread(own, 0)} µs of CPU per request at ${RATE}/s, ${spread(ratios)} of bare Node (bar 1.4)`);
  }
}

async function measureThroughput(sides: readonly Side[]): Promise<void> {
  const ceiling = await saturate(sides.at(-1)?.url ?? "", {});
  console.log(
    `  generator: ${hasWrk ? "wrk" : "autocannon in a process of its own"}, ${Math.round(ceiling.perSecond)}/s against the quickest side`,
  );
  const rounds = sides.map(() => [] as { perSecond: number; p99: number }[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { url }] of sides.entries()) rounds[index]?.push(await saturate(url, HEADERS, SECONDS));
  }
  const limit = rounds.at(-1) ?? [];
  for (const [index, { name }] of sides.entries()) {
    const own = rounds[index] ?? [];
    const ratios = own.map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? Number.NaN));
    const rates = own.map(({ perSecond }) => perSecond);
    const p99 = own.map((each) => each.p99);
    console.log(`  ${name}: ${spread(rates, 0)}/s, p99 ${spread(p99)} ms, ${spread(ratios)} of ${sides.at(-1)?.name}`);
  }
}

/** The page as it is on the wire. */
function receive(url: string): Promise<{ headers: Record<string, string>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, { headers: HEADERS }, (response) => {
      const { date: _, connection: __, "keep-alive": ___, ...received } = response.headers;
      const fields = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]));
      buffer(response).then((bytes) => resolve({ headers: fields, body: bytes }), reject);
    })
      .on("error", reject)
      .end();
  });
}
