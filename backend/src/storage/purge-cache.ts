import type { Call, Caller } from "./context.ts";
import { roleRefused } from "./errors.ts";

/** `DELETE /cdn/`, `/cdn/{bucket}` and `/cdn/{bucket}/{name}`, for the service role: clears the cache of public objects. */
export async function purgeCache(call: Call, { identity }: Caller): Promise<Response> {
  if (identity.role !== "service_role") throw roleRefused();
  call.storage.publicObjects.forget(call.bucket, call.name === "" ? undefined : call.name);
  return Response.json({ message: "success" });
}
