import { createTestPostgres } from "backend/test/database.ts";
import { STAFF_ENV, startProcess, type RunningProcess } from "./product.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_e2e-0123456789abcdef", SECRET_KEY: "sb_secret_e2e-0123456789abcdef" };

/** The product as it was started, with one account. */
export interface Deployment {
  url: string;
  stop(): Promise<void>;
}

/** Starts the product with its data in a directory. */
export type Deploy = (dataDir: string) => Promise<Deployment>;

/** The product as it runs on one machine, and with its database elsewhere. */
export const deployments: Readonly<Record<string, Deploy>> = {
  "in one process": async (dataDir) => {
    const site = await startProcess("site/server.ts", { DATA_DIR: dataDir, ...STAFF_ENV });
    return { url: site.url, stop: () => stopAll(site) };
  },
  "on a PostgreSQL server": async (dataDir) => {
    const database = await createTestPostgres();
    const site = await startProcess("site/server.ts", { DATA_DIR: dataDir, DATABASE_URL: database.url, ...STAFF_ENV });
    return { url: site.url, stop: () => stopAll(site).then(database.remove) };
  },
};

/** The product with its backend in another process. */
export async function deployApart(dataDir: string): Promise<Deployment> {
  const backend = await startProcess("backend/src/server.ts", { DATA_DIR: dataDir, ...STAFF_ENV, ...KEYS });
  const site = await startProcess("site/server.ts", { SUPABASE_URL: backend.url, SUPABASE_PUBLISHABLE_KEY: KEYS.PUBLISHABLE_KEY });
  return { url: site.url, stop: () => stopAll(site, backend) };
}

async function stopAll(...processes: RunningProcess[]): Promise<void> {
  for (const process of processes) await process.stop();
}
