import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { uuid } from "../../uuid.ts";
import { StorageError } from "../errors.ts";
import type { StoredObject } from "./stored-object.ts";

/** The column `storage.objects.metadata`, with the keys of a hosted project. */
export interface ObjectMetadata {
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: 200;
  contentEncoding?: string;
}

/** A row as the API returns it. */
export interface ObjectRow {
  [column: string]: unknown;
  id: string;
  name: string;
  bucket_id: string;
  owner: string | null;
  owner_id: string | null;
  version: string;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
  metadata: unknown;
  user_metadata: unknown;
}

/** The columns of an `ObjectRow`. */
export const OBJECT_COLUMNS =
  "id, name, bucket_id, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata, user_metadata";

const FIND = `select ${OBJECT_COLUMNS} from storage.objects
  where bucket_id = $1 and name = $2 and version is not null and version = coalesce($3, version)`;

/**
 * Finds an object with the rights of the transaction, optionally only a given version; earlier versions are not stored.
 * Fails with `NoSuchKey`.
 */
export async function findObject(tx: Transaction, bucket: string, name: string, version: string | null = null): Promise<ObjectRow> {
  const [row] = await tx.query<ObjectRow>(FIND, [bucket, name, version]);
  if (!row) throw new StorageError("NoSuchKey");
  return row;
}

/** Runs `work` on the row that `find` returns, and once more if the bytes were replaced in between (`NoSuchKey`). */
export async function withCurrentBytes<R, T>(find: () => Promise<R>, work: (row: R) => Promise<T>): Promise<T> {
  const row = await find();
  try {
    return await work(row);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "NoSuchKey") throw error;
    return work(await find());
  }
}

// Rows may come from a hosted project.
const metadataSchema = z.object({
  eTag: z.string().default('""'),
  size: z.number().default(0),
  mimetype: z.string().default("application/octet-stream"),
  cacheControl: z.string().default("no-cache"),
  lastModified: z.coerce.date().optional(),
  contentEncoding: z.string().nullish(),
});

/** Returns the metadata of an object whose bytes are stored now. */
export function describeObject(object: Omit<StoredObject, "id" | "bucketId" | "name" | "version" | "lastModified">): ObjectMetadata {
  const { eTag, size, mimetype, cacheControl, contentEncoding } = object;
  const described = { eTag, size, mimetype, cacheControl, lastModified: new Date().toISOString(), contentLength: size } as const;
  return { ...described, httpStatusCode: 200, ...(contentEncoding === null ? {} : { contentEncoding }) };
}

/** Converts a row into the object to serve. */
export function toStoredObject({ id, bucket_id: bucketId, name, version, metadata, updated_at: updatedAt }: ObjectRow): StoredObject {
  const { lastModified, contentEncoding, ...rest } = metadataSchema.parse(metadata ?? {});
  return { id, bucketId, name, version, ...rest, contentEncoding: contentEncoding ?? null, lastModified: lastModified ?? updatedAt };
}

export interface NewObject {
  bucketId: string;
  name: string;
  ownerId: string | null;
  version: string;
  metadata: Partial<ObjectMetadata>;
  userMetadata: unknown;
}

const INSERT = `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
  values ($1::uuid, $2, $3, $4::uuid, $5, $6, $7::text::jsonb, $8::text::jsonb)`;
const OR_REPLACE = `on conflict (bucket_id, name) do update set
  version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
  owner = excluded.owner, owner_id = excluded.owner_id
  returning id`;

/**
 * Inserts the row of an object, or replaces it with `upsert`, and returns its id. Without `upsert` the row is not read back:
 * inserting needs no select right, as in a hosted project.
 */
export async function writeObject(tx: Transaction, object: NewObject, upsert: boolean): Promise<string> {
  const { bucketId, name, ownerId, version, metadata, userMetadata } = object;
  const id = crypto.randomUUID();
  const values = [bucketId, name, uuidOrNull(ownerId), ownerId, version, JSON.stringify(metadata), jsonOrNull(userMetadata)];
  const [row] = await tx.query<{ id: string }>(upsert ? `${INSERT} ${OR_REPLACE}` : INSERT, [id, ...values]);
  return row?.id ?? id;
}

/** The column `owner` takes only UUIDs, though a token's `sub` may be anything. */
export function uuidOrNull(ownerId: string | null): string | null {
  return uuid.safeParse(ownerId).data ?? null;
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
