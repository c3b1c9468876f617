import { type Call, readCaller } from "../context.ts";
import { roleRefused } from "../errors.ts";
import { findBucket } from "./bucket-rows.ts";

/** `POST /bucket/{id}/empty`, for the service role: removes every object and then their bytes. */
export async function emptyBucket(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  if (caller.identity.role !== "service_role") throw roleRefused();
  await caller.run(
    async (tx) => {
      await findBucket(tx, call.bucket);
      await tx.query("delete from storage.objects where bucket_id = $1", [call.bucket]);
    },
    { deletes: true },
  );
  call.storage.removedBytes.remove();
  return Response.json({ message: "Empty bucket has been queued. Completion may take up to an hour." });
}
