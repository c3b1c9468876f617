import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  type ByteRange,
  type ByteSource,
  type ByteStore,
  ByteStoreError,
  checkedKey,
  isKey,
  parseTrashName,
  READ_AT_ONCE,
  trashName,
  type Written,
} from "./byte-store.ts";
import { openS3Client, type S3Account } from "./s3-client.ts";

export interface S3Options extends S3Account {
  bucket: string;
}

const PREFIX = "objects/";
const TRASH = "trash/";
const DATABASE_ID = "database-id";
/** The minimum size of a part in S3; two parts are in memory at a time. */
const PART_SIZE = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/**
 * Opens a byte store in a bucket of any S3 service. Acknowledged bytes are durable, and an upload is complete or absent.
 */
export async function openS3Bytes({ bucket: Bucket, ...account }: S3Options): Promise<ByteStore> {
  const { s3, client } = await openS3Client(account);
  const { Upload } = await import("@aws-sdk/lib-storage");
  const objectOf = (key: string): { Bucket: string; Key: string } => ({ Bucket, Key: PREFIX + checkedKey(key) });

  async function move(from: string, to: string): Promise<void> {
    const copied = await ifThere(client.send(new s3.CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` })));
    if (copied) await ifThere(client.send(new s3.DeleteObjectCommand({ Bucket, Key: from })));
  }

  return {
    async write(key, source) {
      const seen = watch(source);
      const Body = Readable.from(seen.bytes, { objectMode: false });
      const upload = new Upload({ client, params: { ...objectOf(key), Body }, partSize: PART_SIZE, queueSize: PARTS_AT_ONCE });
      try {
        await upload.done();
      } catch (error) {
        // The error of the source is the cause of the upload's error.
        throw seen.failure() ?? unavailable(error);
      }
      return seen.written();
    },
    async read(key, range) {
      const found = await ifThere(client.send(new s3.GetObjectCommand({ ...objectOf(key), ...rangeOf(range) })));
      if (!found?.Body) return null;
      const isSmall = found.ContentLength !== undefined && found.ContentLength <= READ_AT_ONCE;
      return isSmall ? Uint8Array.from(await attempt(found.Body.transformToByteArray())) : found.Body.transformToWebStream();
    },
    async copy(from, to) {
      const CopySource = `${Bucket}/${PREFIX}${checkedKey(from)}`;
      return (await ifThere(client.send(new s3.CopyObjectCommand({ ...objectOf(to), CopySource })))) !== null;
    },
    async copyToFile(key, path) {
      const found = await ifThere(client.send(new s3.GetObjectCommand(objectOf(key))));
      if (!found?.Body) return false;
      await writeFile(path, found.Body.transformToWebStream(), { flag: "wx", mode: 0o600 });
      return true;
    },
    async remove(keys) {
      for (const key of keys) await ifThere(client.send(new s3.DeleteObjectCommand(objectOf(key))));
    },
    async stat(key) {
      const found = await ifThere(client.send(new s3.HeadObjectCommand(objectOf(key))));
      return found && { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    },
    async *keysBefore(moment) {
      for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, { Bucket, Prefix: PREFIX })) {
        for (const { Key, LastModified } of Contents) {
          const key = Key?.slice(PREFIX.length) ?? "";
          if (isKey(key) && LastModified && LastModified < moment) yield key;
        }
      }
    },
    async removeUnfinished(moment) {
      const begun = await ifThere(client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: PREFIX })));
      for (const { Key, UploadId, Initiated } of begun?.Uploads ?? []) {
        if (Initiated && Initiated < moment) await ifThere(client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
      }
    },
    async readDatabaseId() {
      const found = await ifThere(client.send(new s3.GetObjectCommand({ Bucket, Key: DATABASE_ID })));
      return found?.Body ? (await attempt(found.Body.transformToString())).trim() : null;
    },
    async writeDatabaseId(id) {
      await attempt(client.send(new s3.PutObjectCommand({ Bucket, Key: DATABASE_ID, Body: `${id}\n` })));
    },
    async trash(keys) {
      for (const key of keys) await move(PREFIX + checkedKey(key), TRASH + trashName(key));
    },
    async *listTrash() {
      for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, { Bucket, Prefix: TRASH })) {
        for (const { Key } of Contents) {
          const item = parseTrashName(Key?.slice(TRASH.length) ?? "");
          if (item) yield item;
        }
      }
    },
    restore: ({ key, day }) => move(`${TRASH}${day}/${checkedKey(key)}`, PREFIX + key),
    async deleteTrashed(items) {
      for (const { key, day } of items) await ifThere(client.send(new s3.DeleteObjectCommand({ Bucket, Key: `${TRASH}${day}/${key}` })));
    },
    close() {
      client.destroy();
      return Promise.resolve();
    },
  };
}

function rangeOf(range: ByteRange | undefined): { Range?: string } {
  return range ? { Range: `bytes=${range.start}-${range.end}` } : {};
}

/** Passes bytes on and records their number, their hash and the error of the source. */
function watch(source: ByteSource): { bytes: ByteSource; written: () => Written; failure: () => unknown } {
  const hash = createHash("sha256");
  let size = 0;
  let failure: unknown;
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.byteLength;
        yield chunk;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { bytes: pass(), written: () => ({ size, sha256: hash.digest("hex") }), failure: () => failure };
}

// Some services do not list unfinished uploads.
const NOTHING_THERE: ReadonlySet<unknown> = new Set(["NoSuchKey", "NotFound", "NoSuchUpload", "NotImplemented"]);

async function ifThere<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof Error && NOTHING_THERE.has(error.name)) return null;
    throw unavailable(error);
  });
}

async function attempt<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw unavailable(error);
  });
}

function unavailable(error: unknown): ByteStoreError {
  return new ByteStoreError("unavailable", error);
}
