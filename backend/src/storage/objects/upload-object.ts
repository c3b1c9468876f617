import { findLimits } from "../buckets/bucket-rows.ts";
import type { Actor, Call, Caller } from "../context.ts";
import { objectName } from "../names.ts";
import { receiveFile } from "./incoming.ts";
import { requireRoom, storeObject } from "./store-object.ts";

/** `POST /object/{bucket}/{name}`: uploads an object; replaces an existing one only with `x-upsert: true`. */
export function uploadObject(call: Call, caller: Caller): Promise<Response> {
  return upload(call, caller, call.request.headers.get("x-upsert") === "true");
}

/** `PUT /object/{bucket}/{name}`: uploads an object or replaces it. */
export function updateObject(call: Call, caller: Caller): Promise<Response> {
  return upload(call, caller, true);
}

/** Uploads with the actor's rights, which are checked before the body is read and again at the commit. */
export async function upload(call: Call, actor: Actor, upsert: boolean): Promise<Response> {
  const { storage, request } = call;
  const name = objectName(call.name);
  const bucket = await findLimits(storage.database, call.bucket);
  const place = { bucket, name, upsert };
  await requireRoom(actor, place);
  call.connection.allowLongBody?.();
  const { id } = await receiveFile(request, (incoming) => storeObject(storage, actor, place, incoming));
  return Response.json({ Id: id, Key: `${bucket.id}/${name}` });
}
