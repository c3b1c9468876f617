import { findLimits } from "../buckets/bucket-rows.ts";
import { linkHolder, type Call, type Caller } from "../context.ts";
import { objectName } from "../names.ts";
import { requireRoom } from "../objects/store-object.ts";
import { upload } from "../objects/upload-object.ts";
import { readLink, signLink, writingSchema } from "./tokens.ts";

const TWO_HOURS_SECONDS = 7200;

/** `POST /object/upload/sign/{bucket}/{name}`: creates an upload link, if the caller may upload the object. */
export async function signUpload(call: Call, caller: Caller): Promise<Response> {
  const { storage, request } = call;
  const name = objectName(call.name);
  const upsert = request.headers.get("x-upsert") === "true";
  const bucket = await findLimits(storage.database, call.bucket);
  await requireRoom(caller, { bucket, name, upsert });
  const url = `${bucket.id}/${name}`;
  const { ownerId } = caller;
  const token = await signLink(
    storage.jwt,
    { scope: "upload", url, upsert, ...(ownerId === null ? {} : { owner: ownerId }) },
    TWO_HOURS_SECONDS,
  );
  return Response.json({ url: `/object/upload/sign/${url}?token=${token}`, token });
}

/** `PUT /object/upload/sign/{bucket}/{name}?token=`: uploads an object with a signed link, as the account that created the link. */
export async function uploadSigned(call: Call): Promise<Response> {
  const { storage, url, bucket, name } = call;
  const claims = await readLink(storage.jwt, url.searchParams.get("token"), `${bucket}/${objectName(name)}`, writingSchema);
  return upload(call, linkHolder(call, claims.owner ?? null), claims.upsert);
}
