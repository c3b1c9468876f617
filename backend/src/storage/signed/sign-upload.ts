import { findLimits } from "../buckets/bucket-rows.ts";
import { type Call, readCaller } from "../context.ts";
import { objectName } from "../names.ts";
import { requireRoom } from "../objects/store-object.ts";
import { signLink } from "./tokens.ts";

const TWO_HOURS_SECONDS = 7200;

/** `POST /object/upload/sign/{bucket}/{name}`: creates an upload link, if the caller may upload the object. */
export async function signUpload(call: Call): Promise<Response> {
  const { storage, request } = call;
  const caller = await readCaller(call);
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
