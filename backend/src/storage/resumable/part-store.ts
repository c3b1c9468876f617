import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import { findLimits } from "../buckets/bucket-rows.ts";
import { type ByteSource, newKey } from "../bytes/byte-store.ts";
import type { Actor, StorageContext } from "../context.ts";
import { cacheControlFor, parseMetadata } from "../objects/incoming.ts";
import { storeObject } from "../objects/store-object.ts";
import {
  completeUpload,
  deleteUpload,
  findUpload,
  insertPart,
  insertUpload,
  isStored,
  LIFETIME_MS,
  type NewUpload,
  partVersions,
  rememberVersion,
  type ResumableUpload,
} from "./upload-rows.ts";

/**
 * Stores the received parts of an upload under separate keys. The last part completes the object and is recorded only after
 * that: a client that gets no response sends it again.
 */
export class PartStore extends DataStore {
  readonly #storage: StorageContext;
  readonly #uploader: { actor: Actor };
  override extensions = ["creation", "creation-with-upload", "expiration", "termination"];
  /** The upload that this request creates, already authorised. */
  planned: NewUpload | undefined;

  /** The actor of `uploader` creates the object. */
  constructor(storage: StorageContext, uploader: { actor: Actor }) {
    super();
    this.#storage = storage;
    this.#uploader = uploader;
  }

  override async create(upload: Upload): Promise<Upload> {
    if (!this.planned) throw new Error("An upload is created that was not planned.");
    await insertUpload(this.#storage.database, this.planned);
    return upload;
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const storage = this.#storage;
    const upload = await this.#find(id);
    const part = untilCut(stream);
    const version = newKey();
    const { size } = await storage.bytes.write(version, part.bytes);
    try {
      if (size === 0) throw part.failure() ?? ERRORS.INVALID_OFFSET;
      if (offset + size === upload.size) {
        await this.#finish(upload, version);
        return upload.size;
      }
    } catch (error) {
      await storage.bytes.remove([version]);
      throw error;
    }
    if (!(await insertPart(storage.database, id, { start: offset, size, version }))) {
      await storage.bytes.remove([version]);
      throw ERRORS.INVALID_OFFSET;
    }
    // Bytes received before the connection broke are stored: the client asks for the offset and continues.
    const failure = part.failure();
    if (failure !== undefined) throw failure;
    return offset + size;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, received, metadata, created_at: createdAt } = await this.#find(id);
    return new Upload({ id, size, offset: received, metadata, creation_date: createdAt.toISOString() });
  }

  override async remove(id: string): Promise<void> {
    const storage = this.#storage;
    await deleteUpload(storage.database, id);
    storage.removedBytes.remove();
  }

  override getExpiration(): number {
    return LIFETIME_MS;
  }

  async #find(id: string): Promise<ResumableUpload> {
    const upload = await findUpload(this.#storage.database, id);
    if (!upload) throw ERRORS.FILE_NOT_FOUND;
    return upload;
  }

  async #finish(upload: ResumableUpload, last: string): Promise<void> {
    const storage = this.#storage;
    const { database, bytes } = storage;
    // An earlier request may have completed the object and ended before it recorded that.
    if (upload.version === null || !(await isStored(database, upload.version))) {
      const bucket = await findLimits(database, upload.bucket_id);
      const { contentType = "application/octet-stream", cacheControl = "", metadata = "" } = upload.metadata;
      const version = newKey();
      await rememberVersion(database, upload.id, version);
      const incoming = {
        type: contentType,
        bytes: joined(storage, [...(await partVersions(database, upload.id)), last]),
        announcedSize: upload.size,
        details: { cacheControl: cacheControlFor(cacheControl), contentEncoding: undefined, userMetadata: parseMetadata(metadata) },
      };
      await storeObject(storage, this.#uploader.actor, { bucket, name: upload.name, upsert: upload.upsert }, incoming, version);
    }
    await completeUpload(database, upload.id);
    await bytes.remove([last]);
    storage.removedBytes.remove();
  }
}

async function* joined({ bytes }: Pick<StorageContext, "bytes">, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const key of keys) {
    const part = await bytes.read(key);
    if (part === null) throw ERRORS.FILE_NO_LONGER_EXISTS;
    if (part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

/** Yields the bytes before the stream fails and records the failure; a size limit error is thrown. */
function untilCut(stream: Readable): { bytes: ByteSource; failure: () => unknown } {
  let failure: unknown;
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
    } catch (error) {
      failure = error;
      if (error instanceof Error && "status_code" in error) throw error;
    }
  }
  return { bytes: pass(), failure: () => failure };
}
