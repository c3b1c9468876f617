import { join } from "node:path";
import { createPostgresDatabase } from "backend/test/postgres-databases.ts";
import type { TestProject } from "vitest/node";
import { STAFF_ENV, startProcess, temporaryDirectory } from "./product.ts";

/** The database of the tests' server that a start of the product has filled, for others to be copied from. */
const TEMPLATE = "product";

declare module "vitest" {
  interface ProvidedContext {
    /** A data directory as the first start leaves it, with one account. */
    startedDataDir: string;
  }
}

/** Starts the product once on each database, so that no journey waits for its tables to be made. */
export default async function setup(project: TestProject): Promise<() => PromiseLike<void>> {
  const directory = await temporaryDirectory();
  const dataDir = join(directory.path, "data");
  await startOnce({ DATA_DIR: dataDir });
  project.provide("startedDataDir", dataDir);

  const { postgres } = project.getProvidedContext();
  if (postgres) {
    const url = await createPostgresDatabase(postgres.url, TEMPLATE);
    await startOnce({ DATA_DIR: join(directory.path, "beside"), DATABASE_URL: url });
    project.provide("postgres", { ...postgres, template: TEMPLATE });
  }
  return () => directory[Symbol.asyncDispose]();
}

async function startOnce(env: Record<string, string>): Promise<void> {
  const site = await startProcess("site/server.ts", { ...env, ...STAFF_ENV });
  await site.stop();
}
