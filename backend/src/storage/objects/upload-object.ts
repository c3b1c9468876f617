import { findLimits } from "../buckets/bucket-rows.ts";
import { type Actor, type Call, readCaller } from "../context.ts";
import { objectName } from "../names.ts";
import { receiveFile } from "./incoming.ts";
import { requireRoom, storeObject } from "./store-object.ts";

/** `POST /object/{bucket}/{name}`: keeps a file under a name, in the place of another only with `x-upsert: true`. */
export async function uploadObject(call: Call): Promise<Response> {
  return upload(call, await readCaller(call), call.request.headers.get("x-upsert") === "true");
}

/** `PUT /object/{bucket}/{name}`: keeps a file under a name, whatever was there. */
export async function updateObject(call: Call): Promise<Response> {
  return upload(call, await readCaller(call), true);
}

/** Uploads for whoever `actor` is: asked before the bytes are read, and again when they are there. */
export async function upload(call: Call, actor: Actor, upsert: boolean): Promise<Response> {
  const { storage, request } = call;
  const name = objectName(call.name);
  const bucket = await findLimits(storage.database, call.bucket);
  const place = { bucket, name, upsert };
  await requireRoom(actor, place);
  const { id } = await receiveFile(request, (incoming) => storeObject(storage, actor, place, incoming));
  return Response.json({ Id: id, Key: `${bucket.id}/${name}` });
}
