import type { Bucket } from "../buckets/bucket-rows.ts";
import { newKey, type ByteSource } from "../bytes/byte-store.ts";
import type { Actor, StorageContext } from "../context.ts";
import { toStorageError } from "../error-response.ts";
import { StorageError } from "../errors.ts";
import type { StoredObject } from "./stored-object.ts";
import { decideType, HEAD_SIZE, requireAllowed } from "./content-type.ts";
import { type Incoming, noContent } from "./incoming.ts";
import { describeObject, type NewObject, type ObjectMetadata, writeObject } from "./object-rows.ts";

/** The bucket and the name of the object to store. */
interface Destination {
  bucket: Bucket;
  name: string;
  /** True to replace an existing object. */
  upsert: boolean;
}

/** Checks with a dry run that the upload is allowed and its name is free, before its body is read. */
export async function requireRoom(
  actor: Actor,
  { bucket, name, upsert }: Destination,
  metadata: Partial<ObjectMetadata> = {},
): Promise<void> {
  const { ownerId } = actor;
  const trial: NewObject = { bucketId: bucket.id, name, ownerId, version: newKey(), metadata, userMetadata: undefined };
  await actor.run((tx) => writeObject(tx, trial, upsert), { rollback: true }).catch(rethrowAsKey);
}

/** Checks an object against the size and type limits of a bucket. Fails with a `StorageError`. */
export function requireFits({ size, mimetype }: Pick<StoredObject, "size" | "mimetype">, bucket: Bucket): void {
  if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw new StorageError("EntityTooLarge");
  requireAllowed(mimetype, bucket.allowed_mime_types);
}

/** Stores a file and then commits its row; the file cannot be read before, and is deleted if the commit fails. */
export async function storeObject(
  storage: Pick<StorageContext, "bytes" | "removedBytes" | "fileSizeLimit">,
  actor: Actor,
  destination: Destination,
  incoming: Incoming,
  version = newKey(),
): Promise<{ id: string; version: string }> {
  const { bucket, name } = destination;
  const longest = Math.min(bucket.file_size_limit ?? storage.fileSizeLimit, storage.fileSizeLimit);
  if (incoming.announcedSize !== null && incoming.announcedSize > longest) throw new StorageError("EntityTooLarge");
  const { head, bytes } = await peek(incoming.bytes, HEAD_SIZE);
  const isEmpty = head.length === 0;
  if (isEmpty && !name.endsWith(EMPTY_FOLDER)) throw noContent();
  const mimetype = await decideType(head, incoming.type);
  if (!isEmpty) requireAllowed(mimetype, bucket.allowed_mime_types);

  const { size, sha256 } = await storage.bytes.write(version, limited(bytes, longest));
  const { cacheControl, contentEncoding = null, userMetadata } = incoming.details;
  const metadata = describeObject({ eTag: `"${sha256}"`, size, mimetype, cacheControl, contentEncoding });
  return { id: await commitObject(storage, actor, destination, { version, metadata, userMetadata }), version };
}

/** Commits the row of stored bytes; deletes the bytes if that fails. */
export async function commitObject(
  { bytes, removedBytes }: Pick<StorageContext, "bytes" | "removedBytes">,
  actor: Actor,
  { bucket, name, upsert }: Destination,
  written: Pick<NewObject, "version" | "metadata" | "userMetadata">,
): Promise<string> {
  try {
    const object = { bucketId: bucket.id, name, ownerId: actor.ownerId, ...written };
    const id = await actor.run((tx) => writeObject(tx, object, upsert)).catch(rethrowAsKey);
    removedBytes.remove();
    return id;
  } catch (error) {
    // After a lost connection the row may exist: the sweep finds out.
    if (toStorageError(error).statusCode < 500) await bytes.remove([written.version]);
    throw error;
  }
}

/** The empty file that Supabase's dashboard creates in an empty folder. */
const EMPTY_FOLDER = ".emptyFolderPlaceholder";

/** Rejection handler that reports a name that is in use. */
export function rethrowAsKey(error: unknown): never {
  const refusal = toStorageError(error);
  throw refusal.code === "ResourceAlreadyExists" ? new StorageError("KeyAlreadyExists", { cause: error }) : error;
}

/** Passes bytes on; fails with a `StorageError` above `longest` bytes. */
async function* limited(bytes: ByteSource, longest: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > longest) throw new StorageError("EntityTooLarge");
    yield chunk;
  }
}

/** Returns the first `size` bytes and a stream of all bytes. */
async function peek(bytes: ByteSource, size: number): Promise<{ head: Uint8Array; bytes: ByteSource }> {
  const source = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < size && !ended) {
    const { done, value } = await source.next();
    if (done === true) ended = true;
    else {
      seen.push(value);
      length += value.byteLength;
    }
  }
  return { head: Buffer.concat(seen).subarray(0, size), bytes: all(seen, source, ended) };
}

async function* all(seen: readonly Uint8Array[], source: AsyncIterator<Uint8Array>, ended: boolean): AsyncGenerator<Uint8Array> {
  yield* seen;
  if (!ended) yield* { [Symbol.asyncIterator]: () => source };
}
