import { z } from "zod";
import { DatabaseError } from "../../db/database.ts";
import { type Call, readCaller } from "../context.ts";
import { duplicate, invalidRequest } from "../errors.ts";
import { bucketName } from "../names.ts";
import { uuidOrNull } from "../objects/object-rows.ts";
import { readJson } from "../read-json.ts";
import { bucketFields, listJson, requireNoVersioning, sizeLimit } from "./bucket-fields.ts";

const bodySchema = z.object({ ...bucketFields, name: z.string(), id: z.string().optional(), type: z.string().nullish() });

const INSERT = `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
  values ($1, $2, $3::uuid, $4, $5, $6::bigint, (select array_agg(mime) from jsonb_array_elements_text($7::text::jsonb) mime))`;

/** `POST /bucket`: creates a bucket. */
export async function createBucket(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  const body = await readJson(call.request, bodySchema);
  requireNoVersioning(body.versioning_status);
  if ((body.type ?? "STANDARD") !== "STANDARD") throw invalidRequest("Only buckets of type STANDARD can be made here");
  const name = bucketName(body.name);
  const id = bucketName(body.id ?? name);
  const { ownerId } = caller;
  const limits = [sizeLimit(body.file_size_limit) ?? null, listJson(body.allowed_mime_types)];
  try {
    await caller.run((tx) => tx.query(INSERT, [id, name, uuidOrNull(ownerId), ownerId, body.public ?? false, ...limits]));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "23505") throw duplicate("BucketAlreadyExists", error);
    throw error;
  }
  return Response.json({ name });
}
