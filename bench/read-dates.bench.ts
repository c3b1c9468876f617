import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase } from "../backend/test/postgres/databases.ts";
import { startPostgresServer } from "../backend/test/postgres/server.ts";
import { type RunningProcess, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { drive, type Load, type LoadOptions, spread } from "./load.ts";
import { hasPgbench, pgbench } from "./read-dates/pgbench.ts";
import { PATH, type SentStatement, STATEMENTS_PATH, writeDates } from "./read-dates.ts";

// An anonymous read of fifty course dates by the product against a minimal handler, and on a Postgres server against `pgbench`:
// CPU time of the server process per request at a fixed rate, then requests per second at full load.

// Many short rounds, so that other load on the machine affects both sides or a round that the median ignores.
const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const SECONDS = 2;
const RATE = 300;
// Long enough for V8 to compile the code of the request.
const WARM_UP_SECONDS = 8;
const POOL_SIZE = 10;
const BAR = 0.9;

interface Side {
  process: RunningProcess;
  headers: Record<string, string>;
}

/** The figure of the product and that of its limit in one round. */
type Round = [own: number, limit: number];

async function compare(name: string, databases: readonly [product: string, minimal: string] | null): Promise<void> {
  await using directory = await temporaryDirectory();
  const start = async (
    entry: "server/build/backend.js" | "bench/read-dates/minimal-read-server.ts",
    database: string | undefined,
  ): Promise<Side> => {
    const data = join(directory.path, entry.replaceAll("/", "-"));
    const process = await startProcess(entry, {
      DATA_DIR: data,
      LOG_LEVEL: "warn",
      // The database time of an anonymous client is limited, so each request comes from another client address.
      TRUST_PROXY: "1",
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      ...(database === undefined ? {} : { DATABASE_URL: database }),
    });
    const keys: { publishableKey: string; secretKey: string } = JSON.parse(await readFile(join(data, "secrets.json"), "utf8"));
    if (entry === "server/build/backend.js") await writeDates(fetch, process.url, keys.secretKey);
    return { process, headers: { apikey: keys.publishableKey } };
  };
  const product = await start("server/build/backend.js", databases?.[0]);
  const minimal = await start("bench/read-dates/minimal-read-server.ts", databases?.[1]);
  try {
    for (const side of [product, minimal]) await read(side, { seconds: WARM_UP_SECONDS, rate: RATE });
    const cpu = await inTurns([() => cpuPerRequest(product), () => cpuPerRequest(minimal)]);
    print(`${name}: CPU time of a request at ${RATE}/s`, cpu, "µs", (own, limit) => limit / own, `of the minimal handler (bar ${BAR})`);

    for (const side of [product, minimal]) await perSecond(side);
    const full = await inTurns([() => perSecond(product), () => perSecond(minimal)]);
    print(`${name}: requests at full load`, full, "/s", (own, limit) => own / limit, "of the minimal handler");

    if (!databases) return;
    if (!hasPgbench) return console.log(`  ${name}: pgbench is not installed`);
    const statements: SentStatement[] = await (await fetch(minimal.process.url + STATEMENTS_PATH)).json();
    const options = { directory: directory.path, connections: POOL_SIZE, seconds: SECONDS };
    const bare = await inTurns([() => perSecond(product), () => pgbench(databases[0], statements, options)]);
    print(`${name}: requests at full load`, bare, "/s", (own, limit) => own / limit, `of pgbench over ${POOL_SIZE} connections`);
  } finally {
    await Promise.all([product.process.stop(), minimal.process.stop()]);
  }
}

async function inTurns([own, limit]: readonly [() => Promise<number>, () => Promise<number>]): Promise<Round[]> {
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push([await own(), await limit()]);
  return rounds;
}

/** Microseconds. */
async function cpuPerRequest(side: Side): Promise<number> {
  const { pid = 0 } = side.process;
  const before = cpuTime(pid);
  const { requests } = await read(side, { rate: RATE });
  return ((cpuTime(pid) - before) / requests) * 1e6;
}

async function perSecond(side: Side): Promise<number> {
  return (await read(side)).perSecond;
}

async function read({ process: { url }, headers }: Side, options: Pick<LoadOptions, "rate" | "seconds"> = {}): Promise<Load> {
  const result = await drive({ url: url + PATH, headers, seconds: SECONDS, manyClients: true, ...options });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return result;
}

function print(what: string, rounds: readonly Round[], unit: string, ratioOf: (...round: Round) => number, limit: string): void {
  const [own, least] = [0, 1].map((index) =>
    spread(
      rounds.map((round) => round[index] ?? Number.NaN),
      0,
    ),
  );
  console.log(`  ${what}: ${spread(rounds.map((round) => ratioOf(...round)))} ${limit}; ${own} ${unit} and ${least} ${unit}`);
}

await compare("PGlite", null);
const server = await startPostgresServer();
if (server) {
  try {
    const make = (name: string): Promise<string> => createPostgresDatabase(server.url("postgres"), name);
    await compare("Postgres", [await make("product"), await make("minimal")]);
  } finally {
    await server.remove();
  }
} else console.log("  Postgres: no server can run here");
