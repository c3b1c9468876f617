import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/product.ts";

// Whether the time of a refused sign-in tells who has an account: medians of a known and an unknown address, ratio at most 1.1.

const TRIES = 200;

await using directory = await temporaryDirectory();
// The rate limit counts by client; each try comes from another one.
const env = { DATA_DIR: directory.path, LOG_LEVEL: "warn", STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password, TRUST_PROXY: "1" };
const backend = await startProcess("backend/src/server.ts", env);
try {
  const { publishableKey } = JSON.parse(await readFile(join(directory.path, "secrets.json"), "utf8"));
  let client = 0;
  const refuse = async (email: string): Promise<number> => {
    client += 1;
    const started = performance.now();
    await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: {
        apikey: publishableKey,
        "Content-Type": "application/json",
        "X-Forwarded-For": `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
      },
      body: JSON.stringify({ email, password: "not this one" }),
    });
    return performance.now() - started;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let turn = 0; turn < TRIES; turn += 1) {
    known.push(await refuse(STAFF.email));
    unknown.push(await refuse("nobody@larkfell-training.example"));
  }
  const median = (times: number[]): number => times.toSorted((a, b) => a - b)[TRIES / 2] ?? 0;
  console.log(
    `  known ${median(known).toFixed(2)} ms, unknown ${median(unknown).toFixed(2)} ms: ratio ${(median(known) / median(unknown)).toFixed(3)}`,
  );
} finally {
  await backend.stop();
}
