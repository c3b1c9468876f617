import type { Call } from "../context.ts";
import { objectName } from "../names.ts";
import { findObject, toStoredObject } from "../objects/object-rows.ts";
import { serveFound } from "../objects/serve-object.ts";
import type { StoredObject } from "../objects/stored-object.ts";
import { type ReadingClaims, readingSchema, readLink } from "./tokens.ts";

/** `GET /object/sign/{bucket}/{name}?token=`: the object of a signed link. */
export async function getSignedObject(call: Call): Promise<Response> {
  const { storage, request, url } = call;
  const { claims, find } = await followLink(call);
  const expires = new Date(claims.exp * 1000);
  return serveFound(storage.bytes, find, { request, download: url.searchParams.get("download"), expires });
}

/** Reads the link of a request and returns a function that finds its object. Fails with a `StorageError`. */
export async function followLink(call: Call): Promise<{ claims: ReadingClaims; find: () => Promise<StoredObject> }> {
  const { storage, url, bucket, name } = call;
  const claims = await readLink(storage.jwt, url.searchParams.get("token"), `${bucket}/${objectName(name)}`, readingSchema);
  return {
    claims,
    find: () =>
      storage.database.transaction(async (tx) => toStoredObject(await findObject(tx, bucket, name, claims.versionId ?? null)), {
        readOnly: true,
      }),
  };
}
