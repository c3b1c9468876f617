import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { testLog } from "../test/database.ts";
import { startAuth } from "./auth/fixture.ts";
import { migratePlatform } from "./db/migrate.ts";
import { openPglite } from "./db/pglite/pglite.ts";

test("a crash of the embedded database does not reset the rate limits", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "rate-limits-"));
  let worker: Worker | undefined;
  process.once("worker", (started: Worker) => {
    worker = started;
  });
  const database = await openPglite({ dataDir, log: testLog });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await migratePlatform(database, testLog);
  const api = await startAuth(database, { rate_limit: { sign_in_sign_ups: 1 } }, {}, { timeoutMs: 120_000 });
  const recover = async (): Promise<number> => (await api.send("POST", "/recover", { from: "192.0.2.1", body: {} })).status;
  for (let request = 0; request < 30; request += 1) expect(await recover()).not.toBe(429);
  expect(await recover()).toBe(429);

  await worker?.terminate();
  expect(await recover()).toBe(429);
});
