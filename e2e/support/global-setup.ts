import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import type { TestProject } from "vitest/node";
import { launchBrowser } from "./browser.ts";
import { STAFF_ENV, startProcess, temporaryDirectory } from "./product.ts";

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

const LONGEST_WAIT_MS = 300_000;

/**
 * Starts the product once, so that no journey waits for its migrations, starts the shared public site, and starts the browser
 * once, because the first start unpacks it.
 */
export default async function setup(project: TestProject): Promise<() => PromiseLike<void>> {
  const directory = await temporaryDirectory(TEMPORARY_FILES);
  const dataDir = join(directory.path, "data");
  const [browserVersion] = await Promise.all([startBrowser(), startOnce(dataDir)]);
  const publicDataDir = join(directory.path, "public");
  await cp(dataDir, publicDataDir, { recursive: true });
  const publicSite = await startProcess("server/build/site.js", { DATA_DIR: publicDataDir });
  project.provide("startedDataDir", dataDir);
  project.provide("browserVersion", browserVersion);
  project.provide("publicSiteUrl", publicSite.url);
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

async function startOnce(dataDir: string): Promise<void> {
  const site = await startProcess("server/build/site.js", { DATA_DIR: dataDir, ...STAFF_ENV });
  // Waits for the disk reserve, which otherwise every copy would write.
  for (let waited = 0; !existsSync(join(dataDir, "database/reserve")); waited += 30) {
    if (waited > LONGEST_WAIT_MS) throw new Error("The product did not create its disk reserve: is the disk almost full?");
    await delay(30);
  }
  await site.stop();
  // The template databases, to which PGlite never connects, are half of the files that every journey copies.
  for (const template of ["1", "4"]) await rm(join(dataDir, "database/cluster/base", template), { recursive: true });
}
