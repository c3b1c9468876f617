import { z } from "zod";
import { type Call, readCaller } from "../context.ts";
import { accessDenied, invalidRequest } from "../errors.ts";
import { readJson } from "../read-json.ts";
import { bucketFields, listJson, requireNoVersioning, sizeLimit } from "./bucket-fields.ts";
import { findBucket } from "./bucket-rows.ts";

const bodySchema = z.object(bucketFields);
const NAMES = ["public", "file_size_limit", "allowed_mime_types"] as const;

const UPDATE = `update storage.buckets set
    public = coalesce($2::boolean, public),
    file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
    allowed_mime_types = case when $5::boolean
      then (select array_agg(mime) from jsonb_array_elements_text($6::text::jsonb) mime) else allowed_mime_types end,
    updated_at = now()
  where id = $1 returning id`;

/** `PUT /bucket/{id}`: changes the given fields; null clears a limit. */
export async function updateBucket(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  const body = await readJson(call.request, bodySchema);
  requireNoVersioning(body.versioning_status);
  if (NAMES.every((name) => body[name] === undefined))
    throw invalidRequest(NAMES.map((name) => `body must have required property '${name}'`).join(", "));
  const size = sizeLimit(body.file_size_limit);
  const types = body.allowed_mime_types;
  const values = [body.public ?? null, size !== undefined, size ?? null, types !== undefined, listJson(types)];
  await caller.run(async (tx) => {
    await findBucket(tx, call.bucket);
    const [updated] = await tx.query(UPDATE, [call.bucket, ...values]);
    if (!updated) throw accessDenied("new row violates row-level security policy");
  });
  return Response.json({ message: "Successfully updated" });
}
