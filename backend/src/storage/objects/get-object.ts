import { IdentityError } from "../../errors.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { type Call, readCaller } from "../context.ts";
import { accessDenied, StorageError } from "../errors.ts";
import { objectName } from "../names.ts";
import type { StoredObject } from "./stored-object.ts";
import { findObject, toStoredObject } from "./object-rows.ts";
import { serveFound } from "./serve-object.ts";

/** `GET /object/public/{bucket}/{name}`: an object of a public bucket. */
export function getPublicObject(call: Call): Promise<Response> {
  const name = objectName(call.name);
  return serve(call, rechecked(call, name));
}

/** `GET /object/authenticated/{bucket}/{name}`: an object that the caller may read. */
export async function getAuthenticatedObject(call: Call): Promise<Response> {
  return serve(call, await finder(call));
}

/** `GET /object/{bucket}/{name}`: an object that the caller may read or that is in a public bucket; used by `download`. */
export async function getObject(call: Call): Promise<Response> {
  return serve(call, await finderForAnybody(call));
}

/** Returns a function that finds the object with the caller's rights. Fails with an `IdentityError`. */
export async function finder(call: Call): Promise<() => Promise<StoredObject>> {
  const caller = await readCaller(call);
  const name = objectName(call.name);
  return () => caller.run(async (tx) => toStoredObject(await findObject(tx, call.bucket, name, call.url.searchParams.get("versionId"))));
}

/** Returns a function that finds an object of a public bucket; its second call bypasses the cache. */
export function rechecked({ storage, url, bucket }: Call, name: string): () => Promise<StoredObject> {
  const version = url.searchParams.get("versionId");
  let attempts = 0;
  return async () => {
    attempts += 1;
    if (attempts > 1) storage.publicObjects.forget(bucket, name);
    const found = await storage.publicObjects.find(bucket, name);
    if (version !== null && version !== found.version) throw new StorageError("NoSuchKey");
    return found;
  };
}

async function finderForAnybody(call: Call): Promise<() => Promise<StoredObject>> {
  const { public: isPublic } = await findLimits(call.storage.database, call.bucket);
  if (isPublic) return rechecked(call, objectName(call.name));
  return finder(call).catch((error: unknown) => {
    if (error instanceof IdentityError && error.reason === "missing") throw accessDenied("Access denied to this bucket", error);
    throw error;
  });
}

function serve({ storage, request, url }: Call, find: () => Promise<StoredObject>): Promise<Response> {
  return serveFound(storage.bytes, find, { request, download: url.searchParams.get("download") });
}
