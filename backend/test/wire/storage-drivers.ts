import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { ByteStore } from "../../src/storage/bytes/byte-store.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { openS3Bytes } from "../../src/storage/bytes/s3.ts";
import { describeDatabases, type OpenDatabase } from "../database.ts";
import { afterAll } from "vitest";

/** Opens a fresh byte store of one kind; it goes with its suite. */
export type OpenBytes = () => Promise<ByteStore>;

const drivers: Record<string, OpenBytes> = {
  disk: async () => openDiskBytes(await temporary()),
  S3: async () => {
    const bucket = `bytes-${randomUUID()}`;
    const server = new S3rver({
      port: 0,
      silent: true,
      allowMismatchedSignatures: true,
      directory: await temporary(),
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { address, port } = await server.run();
    afterAll(() => server.close());
    const endpoint = `http://${address === "::" || address === "0.0.0.0" ? "127.0.0.1" : address}:${port}`;
    return openS3Bytes({ bucket, endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" });
  },
};

/** Describes a suite for each driver of bytes on each driver of the database. */
export function describeDrivers(name: string, suite: (open: OpenDatabase, openBytes: OpenBytes) => void): void {
  for (const [driver, openBytes] of Object.entries(drivers)) {
    describeDatabases(`${name} with bytes on ${driver}`, (open) => suite(open, openBytes));
  }
}

/** Calls `suite` with each driver of bytes. */
export const byteDrivers: readonly (readonly [name: string, open: OpenBytes])[] = Object.entries(drivers);

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "larkfell-bytes-"));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
