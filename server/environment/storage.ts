import { join } from "node:path";
import type { StorageBackendOptions } from "backend";
import type { BackendEnvironment } from "./environment.ts";

type Variables = Pick<BackendEnvironment, "DATA_DIR" | (`S3_${string}` & keyof BackendEnvironment)>;

/** The storage of uploaded files: the S3 service if one is configured, else a directory. */
export function storageOptions(env: Variables): StorageBackendOptions {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region = "us-east-1" } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const hasS3 = bucket !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined;
  return { directory: join(env.DATA_DIR, "storage"), s3: hasS3 ? { bucket, endpoint, region, accessKeyId, secretAccessKey } : undefined };
}
