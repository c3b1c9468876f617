import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { ByteStore } from "../../src/storage/bytes/byte-store.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { openS3Bytes } from "../../src/storage/bytes/s3.ts";
import { describeDatabases, type OpenDatabase } from "../database.ts";
import { startS3 } from "../s3-server.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

/** Opens a fresh byte store of one kind; closing it removes it. */
export type OpenBytes = () => Promise<ByteStore>;

const drivers = {
  disk: async () => {
    const { directory, remove } = await temporary();
    return { ...openDiskBytes(directory), close: remove };
  },
  S3: async () => {
    const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID = "", TEST_S3_SECRET_ACCESS_KEY = "" } = process.env;
    if (TEST_S3_ENDPOINT !== undefined)
      return openBucketOf(TEST_S3_ENDPOINT, { accessKeyId: TEST_S3_ACCESS_KEY_ID, secretAccessKey: TEST_S3_SECRET_ACCESS_KEY });
    const bucket = `bytes-${randomUUID()}`;
    const { endpoint, close } = await startS3(bucket);
    const bytes = await openS3Bytes({ bucket, endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" });
    return { ...bytes, close: () => bytes.close().then(close) };
  },
} satisfies Record<string, OpenBytes>;

/** Describes a suite for each driver of bytes on each driver of the database. */
export function describeDrivers(name: string, suite: (open: OpenDatabase, openBytes: OpenBytes) => void): void {
  for (const [driver, openBytes] of Object.entries(drivers)) {
    describeDatabases(`${name} with bytes on ${driver}`, (open) => suite(open, openBytes));
  }
}

/**
 * Describes a suite for each driver of bytes and each driver of the database, but in two pairs only, which takes half the time.
 * The two kinds of drivers know nothing of each other; storage-objects.test.ts tries every pair.
 */
export function describePairs(name: string, suite: (open: OpenDatabase, openBytes: OpenBytes) => void): void {
  describeDatabases(name, (open, kind) => suite(open, kind === "pglite" ? drivers.disk : drivers.S3));
}

/** Calls `suite` with each driver of bytes. */
export const byteDrivers: readonly (readonly [name: string, open: OpenBytes])[] = Object.entries(drivers);

/** Creates a bucket on a server that the environment names, to try another one than the tests have; the bucket stays. */
async function openBucketOf(endpoint: string, credentials: { accessKeyId: string; secretAccessKey: string }): Promise<ByteStore> {
  const bucket = `bytes-${randomUUID()}`;
  const region = "us-east-1";
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return openS3Bytes({ bucket, endpoint, region, ...credentials });
}

async function temporary(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-bytes-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
