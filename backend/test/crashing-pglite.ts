import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";
import type { Database } from "../src/db/database.ts";
import { openPglite } from "../src/db/pglite/pglite.ts";
import { prepareDataDirectory, testLog } from "./database.ts";
import { TEMPORARY_FILES } from "./temporary-files.ts";

/** Opens an embedded database with files until the test ends; `crash` ends its thread without a shutdown. */
export async function openCrashingPglite(): Promise<{ database: Database; crash: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(TEMPORARY_FILES, "larkfell-crash-"));
  let worker: Worker | undefined;
  process.once("worker", (started: Worker) => {
    worker = started;
  });
  prepareDataDirectory(dataDir);
  const database = await openPglite({ dataDir: join(dataDir, "database"), log: testLog });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { database, crash: async () => void (await worker?.terminate()) };
}
