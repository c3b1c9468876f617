import { cp } from "node:fs/promises";
import { join } from "node:path";
import { createPostgresDatabase } from "backend/test/postgres-databases.ts";
import type { TestProject } from "vitest/node";
import { launchBrowser } from "./browser.ts";
import { STAFF_ENV, startProcess, temporaryDirectory } from "./product.ts";

/** Name of the template database that a start of the product has migrated. */
const TEMPLATE = "product";

declare module "vitest" {
  interface ProvidedContext {
    /** A data directory after a first start, with one account. */
    startedDataDir: string;
    /** The URL of a site for all tests that only read. */
    publicSiteUrl: string;
    /** The version of the browser. */
    browserVersion: string;
  }
}

/**
 * Starts the product once on each database, so that no journey waits for its migrations, starts the shared public site, and starts
 * the browser once, because the first start unpacks it.
 */
export default async function setup(project: TestProject): Promise<() => PromiseLike<void>> {
  const directory = await temporaryDirectory();
  const dataDir = join(directory.path, "data");
  const { postgres } = project.getProvidedContext();
  const [browserVersion] = await Promise.all([
    startBrowser(),
    startOnce({ DATA_DIR: dataDir }),
    postgres && startOnPostgres(postgres.url, join(directory.path, "postgres")),
  ]);
  const publicDataDir = join(directory.path, "public");
  await cp(dataDir, publicDataDir, { recursive: true });
  const publicSite = await startProcess("server/site.ts", { DATA_DIR: publicDataDir });
  project.provide("startedDataDir", dataDir);
  project.provide("browserVersion", browserVersion);
  project.provide("publicSiteUrl", publicSite.url);
  if (postgres) project.provide("postgres", { ...postgres, template: TEMPLATE });
  return async () => {
    await publicSite.stop();
    await directory[Symbol.asyncDispose]();
  };
}

async function startBrowser(): Promise<string> {
  const browser = await launchBrowser();
  const version = browser.version();
  await browser.close();
  return version;
}

async function startOnPostgres(serverUrl: string, dataDir: string): Promise<void> {
  await startOnce({ DATA_DIR: dataDir, DATABASE_URL: await createPostgresDatabase(serverUrl, TEMPLATE) });
}

async function startOnce(env: Record<string, string>): Promise<void> {
  const site = await startProcess("server/site.ts", { ...env, ...STAFF_ENV });
  await site.stop();
}
