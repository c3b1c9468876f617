import { requireServiceRole, type Call, type Caller } from "./context.ts";

/** `DELETE /cdn/`, `/cdn/{bucket}` and `/cdn/{bucket}/{name}`, for the service role: clears the cache of public objects. */
export async function purgeCache(call: Call, caller: Caller): Promise<Response> {
  requireServiceRole(caller);
  call.storage.publicObjects.forget(call.bucket, call.name === "" ? undefined : call.name);
  return Response.json({ message: "success" });
}
