import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createPostgresDatabase } from "../backend/test/postgres-databases.ts";
import { startPostgresServer } from "../backend/test/postgres-server.ts";
import { load, median } from "./load.ts";
import { PATH, type Served } from "./read-dates.ts";

// Many short rounds, so that other load on the machine affects both servers or a round that the median ignores.
const ROUNDS = Number(process.env["ROUNDS"] ?? 11);
const ROUND_SECONDS = 2;
// Long enough for V8 to compile the code of the request.
const WARM_UP_SECONDS = 10;
const BAR = 0.8;

async function compare(name: string, urls: { rest: string[]; minimal: string[] }): Promise<void> {
  const [rest, minimal] = await Promise.all([start("rest", urls.rest), start("minimal", urls.minimal)]);
  try {
    for (const served of [minimal, rest]) await perSecond(served, WARM_UP_SECONDS);
    const rounds: { rest: number; minimal: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ minimal: await perSecond(minimal), rest: await perSecond(rest) });
    }
    const ratio = median(rounds.map((round) => round.rest / round.minimal));
    const [ours, theirs] = [median(rounds.map((round) => round.rest)), median(rounds.map((round) => round.minimal))];
    const all = rounds.map((round) => (round.rest / round.minimal).toFixed(2)).join(" ");
    console.log(`  ${name}: ${ratio.toFixed(2)} of the minimal handler (bar ${BAR}; rounds ${all}), medians ${ours}/s and ${theirs}/s`);
  } finally {
    rest.child.disconnect();
    minimal.child.disconnect();
  }
}

async function start(which: string, urls: string[]): Promise<Served & { child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, "read-dates-server.ts"), [which, ...urls]);
  const exited = once(child, "exit").then(() => {
    throw new Error(`the ${which} server did not start`);
  });
  const served = await Promise.race([
    new Promise<Served>((resolve) => child.once("message", (message: Served) => resolve(message))),
    exited,
  ]);
  exited.catch(() => undefined);
  return { ...served, child };
}

async function perSecond({ url, key }: Served, seconds = ROUND_SECONDS): Promise<number> {
  const measured = await load(url + PATH, { seconds, headers: { apikey: key } });
  if (measured.failures > 0) throw new Error(`${measured.failures} requests failed`);
  return Math.round(measured.perSecond);
}

await compare("PGlite", { rest: [], minimal: [] });
const server = await startPostgresServer();
if (server) {
  try {
    const make = (name: string): Promise<string> => createPostgresDatabase(server.url("postgres"), name);
    await compare("Postgres", { rest: [await make("rest")], minimal: [await make("minimal")] });
  } finally {
    await server.remove();
  }
} else console.log("  Postgres: no server can run here");
