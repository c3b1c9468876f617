import { join } from "node:path";
import type { StorageBackendOptions } from "backend";
import type { BackendEnvironment } from "./environment.ts";

type Variables = Pick<BackendEnvironment, "DATA_DIR" | (`S3_${string}` & keyof BackendEnvironment)>;

/** The storage of uploaded files: the S3 service if a bucket is configured, else a directory. */
export function storageOptions(env: Variables): StorageBackendOptions {
  const account = s3Account(env);
  return {
    directory: join(env.DATA_DIR, "storage"),
    s3: env.S3_BUCKET !== undefined && account ? { bucket: env.S3_BUCKET, ...account } : undefined,
  };
}

/** The account at an S3 service; undefined without its keys. */
export function s3Account(env: Omit<Variables, "DATA_DIR">): Omit<NonNullable<StorageBackendOptions["s3"]>, "bucket"> | undefined {
  const { S3_ENDPOINT: endpoint, S3_REGION: region = "us-east-1" } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { endpoint, region, accessKeyId, secretAccessKey };
}
