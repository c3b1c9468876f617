import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { cpuTime } from "./cpu-time.ts";
import { drive, type Load, type LoadOptions, load, median, spread } from "./load.ts";

// The cost of authentication: reads during password guessing, and each operation compared with a bare server that does only its
// unavoidable work.

const GUESS_BAR = 2;
const GUESS_ROUNDS = Number(process.env["GUESS_ROUNDS"] ?? 3);
const GUESSERS = 8;
const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
// With rounds of 2 s the figures of getUser differed by a factor of five.
const SECONDS = 5;
const WARM_UP_SECONDS = 10;
const CONNECTIONS = 4;
// Of each load generator: one request each is prepared and one is in flight.
const TOKENS = 3 * CONNECTIONS;

const TOKEN_PATH = "/auth/v1/token?grant_type=";
const CREDENTIALS = JSON.stringify({ email: STAFF.email, password: STAFF.password });

interface Side {
  url: string;
  pid: number;
  headers: Record<string, string>;
}

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface Act {
  name: string;
  bar: number;
  rate: number;
  prepare: (side: Side) => Promise<LoadOptions>;
}

const ACTS: readonly Act[] = [
  { name: "getUser", bar: 2, rate: 100, prepare: prepareGetUser },
  { name: "refresh", bar: 3, rate: 50, prepare: prepareRefresh },
  { name: "sign-in", bar: 1.3, rate: 6, prepare: async (side) => post(side, "password", { body: CREDENTIALS }) },
];

await using directory = await temporaryDirectory();
const data = join(directory.path, "data");
// Rate limits count by client, so each request comes from another client address.
const env = { DATA_DIR: data, LOG_LEVEL: "silent", STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, TRUST_PROXY: "1" };
await using backend = await startProcess("server/build/backend.js", env);
const { publishableKey }: { publishableKey: string } = JSON.parse(await readFile(join(data, "secrets.json"), "utf8"));
const headers = { apikey: publishableKey, "Content-Type": "application/json" };
await measureActs();
// Last, because afterwards the account has to wait between sign-ins.
if (GUESS_ROUNDS > 0) await measureGuessing();

/** p99 of anonymous reads while eight clients send wrong passwords, compared with an idle server. */
async function measureGuessing(): Promise<void> {
  const reads = `${backend.url}/rest/v1/course_dates?select=*&limit=50`;
  const guess: LoadOptions = {
    url: `${backend.url}${TOKEN_PATH}password`,
    method: "POST",
    headers,
    body: JSON.stringify({ email: STAFF.email, password: "not this one" }),
    connections: GUESSERS,
    seconds: 5,
    manyClients: true,
  };
  const rounds: { idle: number; guessed: number; guesses: number }[] = [];
  // The database time of anonymous reads is limited by client network, so each measurement comes from another one.
  let networks = 0;
  const measureReads = async (): Promise<Load> => {
    const result = await load(reads, { headers: { ...headers, "X-Forwarded-For": `192.0.2.${(networks += 1)}` } });
    if (result.failures > 0) throw new Error(`${result.failures} reads failed`);
    return result;
  };
  for (let round = 0; round < GUESS_ROUNDS; round += 1) {
    const idle = await measureReads();
    const [guessed, guesses] = await Promise.all([measureReads(), drive(guess)]);
    rounds.push({ idle: idle.p99, guessed: guessed.p99, guesses: guesses.perSecond });
  }
  const ratio = median(rounds.map(({ idle, guessed }) => guessed / idle));
  const all = rounds.map(({ idle, guessed, guesses }) => `${guessed}/${idle} ms at ${Math.round(guesses)} guesses/s`).join(", ");
  console.log(`  p99 of reads under ${GUESSERS} guessing clients: ${ratio.toFixed(1)} of the idle one (bar ${GUESS_BAR}; rounds ${all})`);
}

/** CPU time of the server per request at a fixed rate, and latency, compared with the limit. */
async function measureActs(): Promise<void> {
  await using limit = await startProcess("bench/sign-in/limit-server.ts", {
    DATA_DIR: join(directory.path, "limit"),
    PASSWORD: STAFF.password,
  });
  const sides = [backend, limit].map(({ url, pid = 0 }): Side => ({ url, pid, headers }));
  for (const act of ACTS) {
    for (const side of sides) await measure(side, act, WARM_UP_SECONDS);
    const rounds = sides.map((): Measured[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, side] of sides.entries()) rounds[index]?.push(await measure(side, act, SECONDS));
    }
    print(act, rounds[0] ?? [], rounds[1] ?? []);
  }
}

interface Measured extends Load {
  /** Microseconds per request. */
  cpu: number;
}

async function measure(side: Side, { rate, prepare }: Act, seconds: number): Promise<Measured> {
  const options = await prepare(side);
  const before = cpuTime(side.pid);
  const result = await drive({ ...options, rate, seconds, connections: CONNECTIONS, manyClients: true });
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return { ...result, cpu: ((cpuTime(side.pid) - before) / result.requests) * 1e6 };
}

function print({ name, bar, rate }: Act, product: readonly Measured[], limit: readonly Measured[]): void {
  const ratios = product.map(({ cpu }, round) => cpu / (limit[round]?.cpu ?? Number.NaN));
  const [own, least] = [product, limit].map((side) => ({
    cpu: spread(
      side.map(({ cpu }) => cpu),
      0,
    ),
    p50: median(side.map(({ p50 }) => p50)),
    p99: median(side.map(({ p99 }) => p99)),
  }));
  console.log(
    `  ${name}: ${spread(ratios)} of the CPU time of the limit (bar ${bar}), at ${rate}/s ${own?.cpu} µs against ${least?.cpu} µs`,
  );
  console.log(`    median latency ${own?.p50} ms against ${least?.p50} ms, p99 ${own?.p99} ms against ${least?.p99} ms`);
}

async function prepareGetUser(side: Side): Promise<LoadOptions> {
  const { access_token: token } = await signIn(side);
  return { url: `${side.url}/auth/v1/user`, headers: { ...side.headers, Authorization: `Bearer ${token}` } };
}

async function prepareRefresh(side: Side): Promise<LoadOptions> {
  const refreshTokens: string[] = [];
  while (refreshTokens.length < TOKENS) refreshTokens.push((await signIn(side)).refresh_token);
  return post(side, "refresh_token", { refreshTokens });
}

function post(side: Side, grant: string, what: Pick<LoadOptions, "body" | "refreshTokens">): LoadOptions {
  return { url: `${side.url}${TOKEN_PATH}${grant}`, method: "POST", headers: side.headers, ...what };
}

async function signIn({ url, headers: own }: Side): Promise<Tokens> {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  const response = await fetch(`${url}${TOKEN_PATH}password`, {
    method: "POST",
    headers: { ...own, "X-Forwarded-For": `10.${a}.${b}.${c}` },
    body: CREDENTIALS,
  });
  if (!response.ok) throw new Error(`a sign-in was answered with ${response.status}`);
  return response.json();
}
