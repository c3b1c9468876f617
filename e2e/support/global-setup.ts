import { join } from "node:path";
import { createPostgresDatabase } from "backend/test/postgres-databases.ts";
import type { TestProject } from "vitest/node";
import { launchBrowser } from "./browser.ts";
import { STAFF_ENV, startProcess, temporaryDirectory } from "./product.ts";

/** The database of the tests' server that a start of the product has filled, for others to be copied from. */
const TEMPLATE = "product";

declare module "vitest" {
  interface ProvidedContext {
    /** A data directory as the first start leaves it, with one account. */
    startedDataDir: string;
  }
}

/** Starts the product once on each database, so that no journey waits for its tables to be made, and the browser, which may have to be unpacked. */
export default async function setup(project: TestProject): Promise<() => PromiseLike<void>> {
  const directory = await temporaryDirectory();
  const dataDir = join(directory.path, "data");
  const { postgres } = project.getProvidedContext();
  const browser = launchBrowser().then((started) => started.close());
  await Promise.all([browser, startOnce({ DATA_DIR: dataDir }), postgres && startOnPostgres(postgres.url, join(directory.path, "beside"))]);
  project.provide("startedDataDir", dataDir);
  if (postgres) project.provide("postgres", { ...postgres, template: TEMPLATE });
  return () => directory[Symbol.asyncDispose]();
}

async function startOnPostgres(serverUrl: string, dataDir: string): Promise<void> {
  await startOnce({ DATA_DIR: dataDir, DATABASE_URL: await createPostgresDatabase(serverUrl, TEMPLATE) });
}

async function startOnce(env: Record<string, string>): Promise<void> {
  const site = await startProcess("server/site.ts", { ...env, ...STAFF_ENV });
  await site.stop();
}
