import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import S3rver from "s3rver";
import type { ByteStore } from "../../src/storage/bytes/byte-store.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { openS3Bytes } from "../../src/storage/bytes/s3.ts";
import { describeDatabases, type OpenDatabase } from "../database.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

/** Opens a fresh byte store of one kind; closing it removes it. */
export type OpenBytes = () => Promise<ByteStore>;

const drivers: Record<string, OpenBytes> = {
  disk: async () => {
    const { directory, remove } = await temporary();
    return { ...openDiskBytes(directory), close: remove };
  },
  S3: async () => {
    const { directory, remove } = await temporary();
    const bucket = `bytes-${randomUUID()}`;
    const server = new S3rver({
      port: 0,
      silent: true,
      allowMismatchedSignatures: true,
      directory,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { address, port } = await server.run();
    const endpoint = `http://${address === "::" || address === "0.0.0.0" ? "127.0.0.1" : address}:${port}`;
    const bytes = await openS3Bytes({ bucket, endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" });
    async function close(): Promise<void> {
      await bytes.close();
      await server.close();
      await remove();
    }
    return { ...bytes, close };
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

async function temporary(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-bytes-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
