import { z } from "zod";
import { findLimits } from "../buckets/bucket-rows.ts";
import type { Call, Caller } from "../context.ts";
import { accessDenied } from "../errors.ts";
import { objectName } from "../names.ts";
import { readJson } from "../../body/read-json.ts";
import { findObject, toStoredObject, uuidOrNull } from "./object-rows.ts";
import { requireFits, rethrowAsKey } from "./store-object.ts";

/** The body of a move; a copy has further fields. */
export const moveSchema = z.object({
  bucketId: z.string().min(1),
  sourceKey: z.string().min(1),
  destinationKey: z.string().min(1),
  destinationBucket: z.string().min(1).optional(),
  sourceVersionId: z.string().optional(),
});

const MOVE = `update storage.objects set bucket_id = $3, name = $4, owner = coalesce($5::uuid, owner), owner_id = coalesce($6, owner_id)
  where bucket_id = $1 and name = $2 returning id`;

/** `POST /object/move`: renames an object within its bucket or into another one; its bytes are not copied. */
export async function moveObject(call: Call, caller: Caller): Promise<Response> {
  const body = await readJson(call.request, moveSchema);
  const { bucketId, sourceKey, destinationBucket = bucketId } = body;
  const destination = objectName(body.destinationKey);
  const limits = await findLimits(call.storage.database, destinationBucket);
  const { ownerId } = caller;
  const id = await caller
    .run(async (tx) => {
      const source = await findObject(tx, bucketId, sourceKey, body.sourceVersionId ?? null);
      if (destinationBucket !== bucketId) requireFits(toStoredObject(source), limits);
      const values = [bucketId, sourceKey, destinationBucket, destination, uuidOrNull(ownerId), ownerId];
      const [moved] = await tx.query<{ id: string }>(MOVE, values);
      if (!moved) throw accessDenied("new row violates row-level security policy");
      return moved.id;
    })
    .catch(rethrowAsKey);
  return Response.json({ message: "Successfully moved", Id: id, Key: `${destinationBucket}/${destination}` });
}
