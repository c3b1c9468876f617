import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "s3rver";
import { TEMPORARY_FILES } from "./temporary-files.ts";

/** Starts an S3 service with empty buckets. */
export async function startS3(...buckets: readonly string[]): Promise<{ endpoint: string; close: () => Promise<void> }> {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-s3-"));
  const server = new S3rver({
    port: 0,
    silent: true,
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { address, port } = await server.run();
  const endpoint = `http://${address === "::" || address === "0.0.0.0" ? "127.0.0.1" : address}:${port}`;
  async function close(): Promise<void> {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
  return { endpoint, close };
}
