import { createTestPostgres } from "backend/test/database.ts";
import { describe, inject } from "vitest";
import { STAFF_ENV, startProcess, type RunningProcess } from "./product.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_e2e-0123456789abcdef", SECRET_KEY: "sb_secret_e2e-0123456789abcdef" };

/** A running product with one account. */
export interface Deployment {
  url: string;
  stop(): Promise<void>;
}

/** Starts the product with its data in a directory. */
export type Deploy = (dataDir: string) => Promise<Deployment>;

/** Starts the product as a single process with a data directory. */
export async function inOneProcess(dataDir: string): Promise<Deployment> {
  const site = await startProcess("server/build/site.js", { DATA_DIR: dataDir, ...STAFF_ENV });
  return deploymentOf(site, site);
}

async function onPostgres(dataDir: string): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const database = started.adopt(await createTestPostgres({ prepared: inject("seededDatabase") }), ({ remove }) => remove());
  const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, ...STAFF_ENV };
  return deploymentOf(started.use(await startProcess("server/build/site.js", env)), started.move());
}

async function inTwoProcesses(dataDir: string): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const backend = started.use(await startProcess("server/build/backend.js", { DATA_DIR: dataDir, ...STAFF_ENV, ...KEYS }));
  const env = { SUPABASE_URL: backend.url, SUPABASE_PUBLISHABLE_KEY: KEYS.PUBLISHABLE_KEY };
  return deploymentOf(started.use(await startProcess("server/build/site.js", env)), started.move());
}

type NamedDeploy = readonly [name: string, deploy: Deploy];

/** The deployments with the embedded database. */
export const inOneOrTwoProcesses: readonly NamedDeploy[] = [
  ["in one process", inOneProcess],
  ["with the backend in another process", inTwoProcesses],
];

/** Every way to deploy the product; journeys that depend only on the browser run on one of them. */
export const deployments: readonly NamedDeploy[] = [...inOneOrTwoProcesses, ["on a PostgreSQL server", onPostgres]];

/** Describes a suite once per deployment; without a PostgreSQL server, its suite is skipped and counted as skipped. */
export function describeDeployments(name: string, ways: readonly NamedDeploy[], suite: (deploy: Deploy) => void): void {
  for (const [way, deploy] of ways)
    describe.skipIf(deploy === onPostgres && inject("postgres") === null)(`${name}, ${way}`, () => suite(deploy));
}

function deploymentOf({ url }: RunningProcess, started: AsyncDisposable): Deployment {
  return { url, stop: async () => started[Symbol.asyncDispose]() };
}
