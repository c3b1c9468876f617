import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type ServerProcess, startServer } from "backend/test/server-process.ts";
import packageJson from "../package.json" with { type: "json" };

const STAFF = { email: "jo@larkfell-training.example", password: "seven lanes to Penrith" };
const [entry = ""] = packageJson.scripts.start.match(/server\S+/) ?? [];
const flags = packageJson.scripts.start.match(/--\S+/g) ?? [];
const settings = Object.fromEntries([...packageJson.scripts.start.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));

/** A running product with its keys. */
export interface Product extends ServerProcess {
  publishableKey: string;
  /** Signs the first staff account in. */
  staff(): Promise<SupabaseClient>;
}

/** Starts the product as `npm start` does, with its data in `dataDir`, and more flags for Node if given. */
export async function startProduct(dataDir: string, env: Record<string, string> = {}, moreFlags: readonly string[] = []): Promise<Product> {
  const server = await startServer(
    entry,
    {
      ...settings,
      NODE_ENV: "production",
      LOG_LEVEL: "error",
      DATA_DIR: dataDir,
      STAFF_EMAIL: STAFF.email,
      STAFF_PASSWORD: STAFF.password,
      ...env,
    },
    { flags: [...flags, ...moreFlags], healthPath: "/health" },
  );
  const { publishableKey }: { publishableKey: string } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return {
    ...server,
    publishableKey,
    async staff() {
      const client = createClient(server.url, publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
      const { error } = await client.auth.signInWithPassword(STAFF);
      if (error) throw error;
      return client;
    },
  };
}

/** Reads the resident memory of a process in MB; 0 where there is no /proc. */
export async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
