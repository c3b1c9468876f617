import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Database } from "../../src/db/database.ts";
import type { ByteStore } from "../../src/storage/bytes/byte-store.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { openS3Bytes } from "../../src/storage/bytes/s3.ts";
import { describeDatabases, type OpenDatabase } from "../database.ts";
import { startS3 } from "../s3-server.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

/** A byte store and its place. */
interface TestBytes extends ByteStore {
  /** Places a file among the stored ones as another program would. */
  addForeign(name: string): Promise<void>;
}

/** Opens a fresh byte store of one kind; closing it removes it. */
type OpenBytes = () => Promise<TestBytes>;

const drivers = {
  disk: async () => {
    const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-bytes-"));
    return {
      ...openDiskBytes(directory),
      async addForeign(name) {
        await mkdir(join(directory, "kept", "ab"), { recursive: true });
        await writeFile(join(directory, "kept", "ab", name), "foreign");
      },
      close: () => rm(directory, { recursive: true, force: true }),
    };
  },
  // The environment may name another server than that of the tests; the bucket stays there.
  S3: async () => {
    const {
      TEST_S3_ENDPOINT,
      TEST_S3_ACCESS_KEY_ID: accessKeyId = "S3RVER",
      TEST_S3_SECRET_ACCESS_KEY: secretAccessKey = "S3RVER",
    } = process.env;
    const server = TEST_S3_ENDPOINT === undefined ? await startS3() : { endpoint: TEST_S3_ENDPOINT, close: () => Promise.resolve() };
    const { endpoint } = server;
    const bucket = `bytes-${randomUUID()}`;
    const region = "us-east-1";
    const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const bytes = await openS3Bytes({ bucket, endpoint, region, accessKeyId, secretAccessKey });
    return {
      ...bytes,
      async addForeign(name) {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: `objects/${name}`, Body: "foreign" }));
      },
      async close() {
        client.destroy();
        await bytes.close();
        await server.close();
      },
    };
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
export function describePairs(name: string, suite: (open: OpenDatabase, openBytes: OpenBytes, kind: Database["kind"]) => void): void {
  describeDatabases(name, (open, kind) => suite(open, kind === "pglite" ? drivers.disk : drivers.S3, kind));
}

/** Calls `suite` with each driver of bytes. */
export const byteDrivers: readonly (readonly [name: string, open: OpenBytes])[] = Object.entries(drivers);
