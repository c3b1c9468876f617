import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { startAuth, type TestAuth } from "../backend/src/auth/fixture.ts";
import { migratePlatform } from "../backend/src/db/migrate/migrate.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { median } from "./load.ts";

// Response times must not reveal accounts: the medians for a known and an unknown address differ by a ratio of at most 1.1.

const TRIES = 200;
const NOBODY = "nobody@larkfell-training.example";

await using directory = await temporaryDirectory();
await measureSignIn();
await measureMail();

/** A refused sign-in with hashes of the real cost; each attempt comes from another client, because rate limits count by client. */
async function measureSignIn(): Promise<void> {
  const env = { DATA_DIR: directory.path, LOG_LEVEL: "warn", STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, TRUST_PROXY: "1" };
  const backend = await startProcess("server/build/backend.js", env);
  try {
    const { publishableKey }: { publishableKey: string } = JSON.parse(await readFile(join(directory.path, "secrets.json"), "utf8"));
    let client = 0;
    await compare("a refused sign-in", async (email) => {
      client += 1;
      const from = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`;
      await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { apikey: publishableKey, "Content-Type": "application/json", "X-Forwarded-For": from },
        body: JSON.stringify({ email, password: "not this one" }),
      });
    });
  } finally {
    await backend.stop();
  }
}

/** A requested mail, with mail limits raised so that they do not stop the measurement. */
async function measureMail(): Promise<void> {
  const log = pino({ level: "silent" });
  const database = await openPglite({ dataDir: join(directory.path, "mail"), log });
  await migratePlatform(database, log);
  const api: TestAuth = await startAuth(database, {
    email: { max_frequency: "0s", enable_confirmations: true },
    rate_limit: { email_sent: 1_000_000 },
  });
  await api.signIn(STAFF.email);
  await api.sql("update auth.users set email_confirmed_at = null");
  await compare("recover", async (email) => void (await api.send("POST", "/recover", { body: { email } })));
  await compare("resend", async (email) => void (await api.send("POST", "/resend", { body: { email, type: "signup" } })));
  await api.close();
  await database.close();
}

async function compare(what: string, ask: (email: string) => Promise<void>): Promise<void> {
  const times: Record<string, number[]> = { [STAFF.email]: [], [NOBODY]: [] };
  for (let turn = 0; turn < TRIES; turn += 1) {
    for (const [email, taken] of Object.entries(times)) {
      const started = performance.now();
      await ask(email);
      taken.push(performance.now() - started);
    }
  }
  const [known = NaN, unknown = NaN] = Object.values(times).map(median);
  console.log(`  ${what}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms: ratio ${(known / unknown).toFixed(3)} (bar 1.1)`);
}
