import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { openS3Client, type S3Account } from "../storage/bytes/s3-client.ts";
import { BackupError } from "./error.ts";
import { countStep, type OnProgress } from "./progress.ts";

/** Ten thousand parts, the most that S3 allows, make 160 GB. Two are in memory at a time. */
const PART_SIZE = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/** The backups in a bucket of an S3 service; all methods fail with a `BackupError`. */
export interface BackupBucket {
  has(key: string): Promise<boolean>;
  /** Stores a file. It is complete or absent. */
  upload(key: string, file: string, onProgress?: OnProgress): Promise<void>;
  /** Writes an object into a new file. */
  download(key: string, file: string, onProgress?: OnProgress): Promise<void>;
  /** Lists the objects whose keys begin with `prefix`, by the rest of their keys. */
  list(prefix: string): Promise<{ name: string; modifiedAt: Date }[]>;
  /** Renames an object of up to 5 GB, which S3 copies in one request. */
  rename(from: string, to: string): Promise<void>;
  remove(key: string): Promise<void>;
  close(): void;
}

/** Opens a bucket of backups. */
export async function openBackupBucket(Bucket: string, account: S3Account): Promise<BackupBucket> {
  const { s3, client } = await openS3Client(account);

  async function attempt<T>(key: string, request: Promise<T>): Promise<T> {
    return request.catch((error: unknown) => {
      const reason = error instanceof Error ? (error.name === "Error" ? error.message : error.name) : String(error);
      throw new BackupError("bucket", `s3://${Bucket}/${key} cannot be used: ${reason}.`, error);
    });
  }

  async function remove(Key: string): Promise<void> {
    await attempt(Key, client.send(new s3.DeleteObjectCommand({ Bucket, Key })));
  }

  return {
    async has(key) {
      const found = client.send(new s3.HeadObjectCommand({ Bucket, Key: key })).catch((error: unknown) => {
        if (error instanceof s3.NotFound) return null;
        throw error;
      });
      return (await attempt(key, found)) !== null;
    },
    async upload(key, file, onProgress) {
      const { Upload } = await import("@aws-sdk/lib-storage");
      const params = { Bucket, Key: key, Body: createReadStream(file) };
      const { size } = await stat(file);
      const upload = new Upload({ client, params, partSize: PART_SIZE, queueSize: PARTS_AT_ONCE });
      upload.on("httpUploadProgress", ({ loaded = 0 }) => onProgress?.("bytes_uploaded", loaded, size));
      await attempt(key, upload.done());
    },
    async download(key, file, onProgress) {
      const { Body, ContentLength = 0 } = await attempt(key, client.send(new s3.GetObjectCommand({ Bucket, Key: key })));
      if (!Body) return;
      const onBytes = countStep("bytes_downloaded", ContentLength, onProgress);
      await attempt(key, writeFile(file, counted(Body.transformToWebStream(), onBytes), { flag: "wx", mode: 0o600 }));
    },
    async list(prefix) {
      const found: { name: string; modifiedAt: Date }[] = [];
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix });
      for (;;) {
        const { value, done } = await attempt(prefix, pages.next());
        if (done) return found;
        for (const { Key = "", LastModified = new Date(0) } of value.Contents ?? [])
          found.push({ name: Key.slice(prefix.length), modifiedAt: LastModified });
      }
    },
    async rename(from, to) {
      const CopySource = encodeURI(`${Bucket}/${from}`);
      await attempt(from, client.send(new s3.CopyObjectCommand({ Bucket, Key: to, CopySource })));
      await remove(from);
    },
    remove,
    close: () => client.destroy(),
  };
}

async function* counted(source: AsyncIterable<Uint8Array>, onBytes: (size: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}
