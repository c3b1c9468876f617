import { type Call, readCaller } from "../context.ts";
import { findBucket } from "./bucket-rows.ts";

/** `GET /bucket/{id}`: one bucket. */
export async function getBucket(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  return Response.json(await caller.run((tx) => findBucket(tx, call.bucket)));
}
