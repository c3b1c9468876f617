import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { drive, spread } from "./load.ts";

// The home page rendered for every request, in processes of their own: the site after a write, uncompressed and in brotli, and after the
// page has expired, while the read of the dates is valid; `renderToString` of the same tree with the same data; and a page joined from
// strings. CPU time per request, and requests per second over one connection; "after a write" also over four, because each request drops
// what another one is reading or rendering, so that they share nothing.

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const SECONDS = 2;

interface Measurement {
  name: string;
  side: "site" | "expired" | "react" | "strings";
  encoding: "identity" | "br";
  /** One by default. */
  connections?: number;
}

const SIDES: Measurement[] = [
  { name: "after a write", side: "site", encoding: "identity" },
  { name: "after a write, four at a time", side: "site", encoding: "identity", connections: 4 },
  { name: "after a write, in brotli", side: "site", encoding: "br" },
  { name: "after expiry", side: "expired", encoding: "identity" },
  { name: "renderToString", side: "react", encoding: "identity" },
  { name: "strings", side: "strings", encoding: "identity" },
];
const LIMIT = SIDES.findIndex(({ side }) => side === "react");

await using directory = await temporaryDirectory();
await using site = await start("site");
await using expired = await start("expired");
await using react = await start("react");
await using strings = await start("strings");
const processes = { site, expired, react, strings };

const page = Buffer.from(await (await fetch(site.url, { headers: { "Accept-Encoding": "identity" } })).arrayBuffer());
console.log(`  home document: ${page.byteLength} bytes, ${gzipSync(page, { level: 6 }).byteLength} in gzip (bars 90,000 and 18,000)`);

const rounds = SIDES.map((): Measured[] => []);
for (const each of SIDES) await measure(each, 5);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, each] of SIDES.entries()) rounds[index]?.push(await measure(each, SECONDS));
}
for (const [index, { name }] of SIDES.entries()) {
  const own = rounds[index] ?? [];
  const cpu = own.map((each) => each.cpu);
  const ofLimit = cpu.map((time, round) => (rounds[LIMIT]?.[round]?.cpu ?? Number.NaN) / time);
  const rates = own.map(({ perSecond }) => perSecond);
  console.log(
    `  ${name}: ${spread(cpu, 0)} µs of CPU per request, ${spread(ofLimit)} of renderToString (bar 0.6), ${spread(rates, 0)}/s (bar 400)`,
  );
}

interface Measured {
  /** Microseconds per request. */
  cpu: number;
  perSecond: number;
}

async function measure({ side, encoding, connections = 1 }: Measurement, seconds: number): Promise<Measured> {
  const { url, pid = 0 } = processes[side];
  const before = cpuTime(pid);
  const rendersBefore = await countRenders(url);
  const { requests, perSecond, failures } = await drive({ url, headers: { "accept-encoding": encoding }, connections, seconds });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const renders = (await countRenders(url)) - rendersBefore;
  if ((side === "site" || side === "expired") && renders < requests) throw new Error(`${requests} requests shared ${renders} renders`);
  return { cpu: ((cpuTime(pid) - before) / requests) * 1e6, perSecond };
}

async function countRenders(url: string): Promise<number> {
  return Number(await (await fetch(new URL("/renders", url))).text());
}

function start(side: string) {
  return startProcess("bench/home-server.ts", { SIDE: side, DATA_DIR: join(directory.path, side) }, { healthPath: "/health" });
}
