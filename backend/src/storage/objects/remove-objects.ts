import { z } from "zod";
import type { Call, Caller } from "../context.ts";
import { StorageError } from "../errors.ts";
import { LONG_JSON_BYTES, readJson } from "../../body/read-json.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { OBJECT_COLUMNS, type ObjectRow } from "./object-rows.ts";

const MOST_AT_ONCE = 1000;
const entry = z.union([z.string(), z.object({ path: z.string(), versionId: z.string() })]);
const bodySchema = z.object({ prefixes: z.array(entry).min(1).max(MOST_AT_ONCE) });

/** `DELETE /object/{bucket}`: removes objects by name and returns those that the caller could remove. */
export async function removeObjects(call: Call, caller: Caller): Promise<Response> {
  const { prefixes } = await readJson(call.request, bodySchema, { maxBytes: LONG_JSON_BYTES });
  const wanted = prefixes.map((one) => (typeof one === "string" ? { path: one, versionId: null } : one));
  const removed = await caller.run((tx) =>
    tx.query<ObjectRow>(
      `delete from storage.objects using jsonb_to_recordset($2::text::jsonb) as wanted (path text, "versionId" text)
       where bucket_id = $1 and name = wanted.path and version = coalesce(wanted."versionId", version)
       returning ${OBJECT_COLUMNS}`,
      [call.bucket, JSON.stringify(wanted)],
    ),
  );
  call.storage.removedBytes.remove();
  return Response.json(removed);
}

/** `DELETE /object/{bucket}/{name}`: removes one object. */
export async function removeObject(call: Call, caller: Caller): Promise<Response> {
  const { storage, bucket, name } = call;
  await findLimits(storage.database, bucket);
  const [removed] = await caller.run((tx) =>
    tx.query("delete from storage.objects where bucket_id = $1 and name = $2 returning id", [bucket, name]),
  );
  if (!removed) {
    const [found] = await caller.run((tx) => tx.query("select from storage.objects where bucket_id = $1 and name = $2", [bucket, name]));
    throw found ? new StorageError("AccessDenied") : new StorageError("NoSuchKey");
  }
  storage.removedBytes.remove();
  return Response.json({ message: "Successfully deleted" });
}
