import { readFile } from "node:fs/promises";
import { join } from "node:path";
import autocannon from "autocannon";
import { SignJWT, generateKeyPair } from "jose";
import pino from "pino";
import { createPasswords, OWASP_COST } from "../backend/src/auth/accounts/passwords.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { load, median } from "./load.ts";

// The cost of authentication: reads during password guessing, and each operation compared with its unavoidable part.

const BAR = 3;
const ROUNDS = 3;
const GUESSERS = 8;
const TRIES = 60;

await using directory = await temporaryDirectory();
// Rate limits count by client, so each request comes from another client address.
const env = { DATA_DIR: directory.path, LOG_LEVEL: "silent", STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, TRUST_PROXY: "1" };
const backend = await startProcess("server/backend.ts", env);
try {
  const { publishableKey }: { publishableKey: string } = JSON.parse(await readFile(join(directory.path, "secrets.json"), "utf8"));
  const headers = { apikey: publishableKey, "Content-Type": "application/json" };
  await measureGuessing(headers);
  await measureActs(headers);
} finally {
  await backend.stop();
}

/** p99 of anonymous reads while eight clients send wrong passwords, compared with an idle server. */
async function measureGuessing(headers: Record<string, string>): Promise<void> {
  const reads = `${backend.url}/rest/v1/course_dates?select=*&limit=50`;
  const rounds: { idle: number; guessed: number; guesses: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const idle = await load(reads, { headers });
    const guessing = autocannon({
      url: `${backend.url}/auth/v1/token?grant_type=password`,
      connections: GUESSERS,
      duration: 5,
      requests: [
        {
          method: "POST",
          headers,
          body: JSON.stringify({ email: STAFF.email, password: "not this one" }),
          setupRequest: fromAnotherClient,
        },
      ],
    });
    const [guessed, { requests }] = await Promise.all([load(reads, { headers }), guessing]);
    rounds.push({ idle: idle.p99, guessed: guessed.p99, guesses: requests.average });
  }
  const ratio = median(rounds.map(({ idle, guessed }) => guessed / idle));
  const all = rounds.map(({ idle, guessed, guesses }) => `${guessed}/${idle} ms at ${Math.round(guesses)} guesses/s`).join(", ");
  console.log(`  p99 of reads under ${GUESSERS} guessing clients: ${ratio.toFixed(1)} of the idle one (bar ${BAR}; rounds ${all})`);
}

/** Times of sign-in, refresh and getUser, compared with a hash, a transaction and a signature. */
async function measureActs(headers: Record<string, string>): Promise<void> {
  const passwords = createPasswords(OWASP_COST);
  const stored = await passwords.hash(STAFF.password);
  const hash = await timed(() => passwords.verify(stored, STAFF.password));
  const database = await openPglite({ dataDir: join(directory.path, "beside"), log: pino({ level: "silent" }) });
  const transaction = await timed(() => database.transaction((tx) => tx.query("select txid_current()")));
  await database.close();
  const { privateKey } = await generateKeyPair("ES256");
  const signature = await timed(() => new SignJWT({ sub: "x" }).setProtectedHeader({ alg: "ES256" }).sign(privateKey));

  type Sent = { access_token: string; refresh_token: string };
  const send = async (path: string, init: RequestInit, own: Record<string, string> = {}): Promise<Sent> => {
    const response = await fetch(backend.url + path, { ...init, headers: { ...headers, ...anotherClient(), ...own } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  const body = JSON.stringify({ email: STAFF.email, password: STAFF.password });
  let session = await send("/auth/v1/token?grant_type=password", { method: "POST", body });
  const signIn = await timed(async () => void (session = await send("/auth/v1/token?grant_type=password", { method: "POST", body })));
  const refresh = await timed(async () => {
    session = await send("/auth/v1/token?grant_type=refresh_token", {
      method: "POST",
      body: JSON.stringify({ refresh_token: session.refresh_token }),
    });
  });
  const getUser = await timed(() => send("/auth/v1/user", {}, { Authorization: `Bearer ${session.access_token}` }));
  console.log(`  one hash ${ms(hash)}, one synced transaction ${ms(transaction)}, one signature ${ms(signature)}`);
  const together = hash + transaction + signature;
  console.log(`  sign-in ${ms(signIn)}: ${(signIn / together).toFixed(1)} of hash, transaction and signature together`);
  console.log(`  refresh ${ms(refresh)}: ${(refresh / (transaction + signature)).toFixed(1)} of transaction and signature together`);
  console.log(`  getUser ${ms(getUser)}: ${(getUser / transaction).toFixed(1)} of a transaction`);
}

/** The median time of an operation, in milliseconds. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TRIES; turn += 1) {
    const started = performance.now();
    await act();
    times.push(performance.now() - started);
  }
  return median(times);
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms (${Math.round(1000 / time)}/s)`;
}

function anotherClient(): Record<string, string> {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  return { "X-Forwarded-For": `10.${a}.${b}.${c}` };
}

function fromAnotherClient(request: autocannon.Request): autocannon.Request {
  return { ...request, headers: { ...request.headers, ...anotherClient() } };
}
