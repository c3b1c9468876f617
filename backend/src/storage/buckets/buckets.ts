import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { type Database, DatabaseError } from "../../db/database.ts";
import { readJson } from "../../body/read-json.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { requireServiceRole, type Call, type Caller } from "../context.ts";
import { accessDenied, invalidRequest, StorageError } from "../errors.ts";
import { bucketName } from "../names.ts";
import { readQuery } from "../query.ts";
import { uuidOrNull } from "../objects/object-rows.ts";
import { BUCKET_COLUMNS, findBucket } from "./bucket-rows.ts";

const querySchema = z.object({
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  sortColumn: z.enum(["id", "name", "created_at", "updated_at"]).default("name"),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  search: z.string().default(""),
});

/** `GET /bucket`: the buckets that the caller may read. */
export async function getBuckets(call: Call, caller: Caller): Promise<Response> {
  const { limit = null, offset = 0, sortColumn, sortOrder, search } = readQuery(call.url.searchParams, querySchema);
  const buckets = await caller.run((tx) =>
    tx.query(
      `select ${BUCKET_COLUMNS}, type from storage.buckets
        where type = 'STANDARD' and position(lower($1) in lower(name)) > 0
        order by ${sortColumn} ${sortOrder}, id limit $2::bigint offset $3::bigint`,
      [search, limit, offset],
    ),
  );
  return Response.json(buckets);
}

/** `GET /bucket/{id}`: one bucket. */
export async function getBucket(call: Call, caller: Caller): Promise<Response> {
  return Response.json(await caller.run((tx) => findBucket(tx, call.bucket)));
}

/** Fields of a bucket that can be set; null clears a limit. */
const bucketFields = {
  public: z.boolean().optional(),
  file_size_limit: z.union([z.int().nonnegative(), z.string().transform(parseSize), z.null()]).optional(),
  allowed_mime_types: z.array(z.string()).nullable().optional(),
  versioning_status: z.string().nullish(),
};

const newBucketSchema = z.object({ ...bucketFields, name: z.string(), id: z.string().optional(), type: z.string().nullish() });

const INSERT = `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
  values ($1, $2, $3::uuid, $4, $5, $6::bigint, (select array_agg(mime) from jsonb_array_elements_text($7::text::jsonb) mime))`;

/** `POST /bucket`: creates a bucket. */
export async function createBucket(call: Call, caller: Caller): Promise<Response> {
  const body = await readJson(call.request, newBucketSchema);
  requireNoVersioning(body.versioning_status);
  if ((body.type ?? "STANDARD") !== "STANDARD") throw invalidRequest("Only buckets of type STANDARD can be made here");
  const name = bucketName(body.name);
  const id = bucketName(body.id ?? name);
  const { ownerId } = caller;
  const limits = [body.file_size_limit ?? null, listJson(body.allowed_mime_types)];
  try {
    await caller.run((tx) => tx.query(INSERT, [id, name, uuidOrNull(ownerId), ownerId, body.public ?? false, ...limits]));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === SQLSTATE.uniqueViolation)
      throw new StorageError("BucketAlreadyExists", { cause: error });
    throw error;
  }
  return Response.json({ name });
}

const changesSchema = z.object(bucketFields);
const NAMES = ["public", "file_size_limit", "allowed_mime_types"] as const;

const UPDATE = `update storage.buckets set
    public = coalesce($2::boolean, public),
    file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
    allowed_mime_types = case when $5::boolean
      then (select array_agg(mime) from jsonb_array_elements_text($6::text::jsonb) mime) else allowed_mime_types end,
    updated_at = now()
  where id = $1 returning id`;

/** `PUT /bucket/{id}`: changes the given fields; null clears a limit. */
export async function updateBucket(call: Call, caller: Caller): Promise<Response> {
  const body = await readJson(call.request, changesSchema);
  requireNoVersioning(body.versioning_status);
  if (NAMES.every((name) => body[name] === undefined))
    throw invalidRequest(NAMES.map((name) => `body must have required property '${name}'`).join(", "));
  const { file_size_limit: size, allowed_mime_types: types } = body;
  const values = [body.public ?? null, size !== undefined, size ?? null, types !== undefined, listJson(types)];
  await caller.run(async (tx) => {
    await findBucket(tx, call.bucket);
    const [updated] = await tx.query(UPDATE, [call.bucket, ...values]);
    if (!updated) throw accessDenied("new row violates row-level security policy");
  });
  return Response.json({ message: "Successfully updated" });
}

/** `DELETE /bucket/{id}`: removes an empty bucket. */
export async function deleteBucket(call: Call, caller: Caller): Promise<Response> {
  try {
    await caller.run(async (tx) => {
      await findBucket(tx, call.bucket);
      const [deleted] = await tx.query("delete from storage.buckets where id = $1 returning id", [call.bucket]);
      if (!deleted) throw new StorageError("AccessDenied");
    });
  } catch (error) {
    // The foreign key also counts objects that the caller cannot see.
    if (error instanceof DatabaseError && error.code === SQLSTATE.foreignKeyViolation)
      throw new StorageError("ResourceNotEmpty", { cause: error });
    throw error;
  }
  return Response.json({ message: "Successfully deleted" });
}

/** `POST /bucket/{id}/empty`, for the service role: removes every object and then their bytes. */
export async function emptyBucket(call: Call, caller: Caller): Promise<Response> {
  requireServiceRole(caller);
  await caller.run(async (tx) => {
    await findBucket(tx, call.bucket);
    await tx.query("delete from storage.objects where bucket_id = $1", [call.bucket]);
  });
  call.storage.removedBytes.remove();
  return Response.json({ message: "Empty bucket has been queued. Completion may take up to an hour." });
}

const SEED = `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ($1, $1, $2, $3::bigint, (select array_agg(mime) from jsonb_array_elements_text($4::text::jsonb) mime))
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types
  where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
    is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types)`;

/** Creates or updates the buckets of config.toml. */
export async function seedBuckets(database: Database, buckets: Config["storage"]["buckets"]): Promise<void> {
  for (const [name, { public: isPublic, file_size_limit: size, allowed_mime_types: types }] of Object.entries(buckets)) {
    await database.transaction((tx) => tx.query(SEED, [bucketName(name), isPublic, size ?? null, listJson(types)]), {
      useReserve: true,
    });
  }
}

/** Refuses versioning, which is not supported. */
function requireNoVersioning(status: string | null | undefined): void {
  if ((status ?? "DISABLED") !== "DISABLED")
    throw new StorageError("FeatureNotEnabled", { message: "The feature versioning is not enabled for this resource" });
}

/** Writes a list for `$n::text::jsonb`, undefined and null as null. */
function listJson(given: readonly string[] | null | undefined): string | null {
  return given ? JSON.stringify(given) : null;
}

const DECIMAL: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };
const SIZE = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i;

/** Parses a size with a decimal unit such as `20mb`, in bytes. Fails with a `StorageError`. */
function parseSize(given: string): number {
  const [, amount, unit] = SIZE.exec(given) ?? [];
  const bytes = Math.floor(Number(amount) * (DECIMAL[unit?.toLowerCase() ?? ""] ?? Number.NaN));
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new StorageError("InvalidRequest", {
    error: "InvalidRequest",
    message: "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B",
  });
}
