import type { Call, Caller } from "../context.ts";
import { objectName } from "../names.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { StorageError } from "../errors.ts";
import { findObject, type ObjectRow, toStoredObject } from "./object-rows.ts";

/** `GET /object/info/{bucket}/{name}`: metadata of an object that the caller may read. */
export async function getInfo(call: Call, caller: Caller): Promise<Response> {
  const name = objectName(call.name);
  return infoResponse(await caller.run((tx) => findObject(tx, call.bucket, name, versionOf(call))), "no-store");
}

/** `GET /object/info/public/{bucket}/{name}`: metadata of an object in a public bucket. */
export async function getPublicInfo(call: Call): Promise<Response> {
  const { storage, bucket } = call;
  const name = objectName(call.name);
  const { public: isPublic } = await findLimits(storage.database, bucket);
  if (!isPublic) throw new StorageError("NoSuchBucket");
  const row = await storage.database.transaction((tx) => findObject(tx, bucket, name, versionOf(call)), { readOnly: true });
  return infoResponse(row, "no-cache");
}

function versionOf({ url }: Call): string | null {
  return url.searchParams.get("versionId");
}

function infoResponse(row: ObjectRow, caching: "no-cache" | "no-store"): Response {
  const { id, name, version, bucket_id, created_at, user_metadata: metadata } = row;
  const { size, mimetype, cacheControl, eTag, lastModified } = toStoredObject(row);
  const headers = { ETag: eTag, "Last-Modified": lastModified.toUTCString(), "Cache-Control": caching };
  const info = {
    id,
    name,
    version,
    bucket_id,
    size,
    content_type: mimetype,
    cache_control: cacheControl,
    etag: eTag,
    metadata: metadata ?? {},
    last_modified: lastModified,
    created_at,
  };
  return Response.json(info, { headers });
}
