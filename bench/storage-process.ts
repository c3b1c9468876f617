import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess, temporaryDirectory } from "../e2e/support/product.ts";

export const SECRET_KEY = "sb_secret_bench-0123456789abcdef";
export const BUCKET = "bench";

/** Starts a backend with one public bucket. */
export async function startStorage(): Promise<AsyncDisposable & { process: RunningProcess; directory: string }> {
  const temporary = await temporaryDirectory();
  const supabaseDir = join(temporary.path, "supabase");
  await mkdir(supabaseDir);
  await writeFile(join(supabaseDir, "config.toml"), `[storage]\nfile_size_limit = "200MiB"\n[storage.buckets.${BUCKET}]\npublic = true\n`);
  const env = { DATA_DIR: join(temporary.path, "data"), SUPABASE_DIR: supabaseDir, SECRET_KEY, LOG_LEVEL: "warn" };
  const process = await startProcess("server/build/backend.js", env);
  return {
    process,
    directory: temporary.path,
    async [Symbol.asyncDispose]() {
      await process.stop();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
