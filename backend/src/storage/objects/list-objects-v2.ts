import { z } from "zod";
import { type Call, readCaller } from "../context.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { StorageError } from "../errors.ts";
import { readJson } from "../read-json.ts";
import { asksForOlderOnly, olderVersions } from "./older-versions.ts";

const MOST = 1000;
const sortSchema = z.object({
  column: z.enum(["name", "updated_at", "created_at"]).default("name"),
  order: z.enum(["asc", "desc"]).default("asc"),
});
const bodySchema = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(MOST),
  cursor: z.string().optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: sortSchema.prefault({}),
  ...olderVersions,
});

/** The cursor of a page: the last name and, if sorted by time, the last time. */
const cursorSchema = z.object({ sort: sortSchema, after: z.string(), name: z.string() });
type Cursor = z.infer<typeof cursorSchema>;

interface Entry extends Record<string, unknown> {
  name: string;
  is_folder: boolean;
  sorted_by: string;
}

/** `POST /object/list-v2/{bucket}`: a page of the objects under a prefix, optionally grouped by folder. */
export async function listObjectsV2(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  const body = await readJson(call.request, bodySchema);
  await findLimits(call.storage.database, call.bucket);
  if (asksForOlderOnly(body)) return Response.json({ hasNext: false, folders: [], objects: [] });
  const cursor = body.cursor === undefined ? undefined : readCursor(body.cursor);
  const sort = cursor?.sort ?? body.sortBy;
  const limit = Math.min(body.limit, MOST);
  const values = [call.bucket, body.prefix, body.with_delimiter, cursor?.after ?? null, cursor?.name ?? null, limit + 1];
  const found = await caller.run((tx) => tx.query<Entry>(listing(sort), values));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return Response.json({
    hasNext: found.length > limit,
    folders: page.flatMap(({ name, is_folder: isFolder }) => (isFolder ? [{ key: lastPart(name), name }] : [])),
    objects: page.flatMap(({ is_folder: isFolder, sorted_by: _, ...entry }) => (isFolder ? [] : [{ key: lastPart(entry.name), ...entry }])),
    ...(last && found.length > limit ? { nextCursor: writeCursor({ sort, after: last.sorted_by, name: last.name }) } : {}),
  });
}

// The time of a folder is that of its first object.
function listing({ column, order }: Cursor["sort"]): string {
  const sortedBy = column === "name" ? `name collate "C"` : column;
  const after = column === "name" ? "$4" : "$4::timestamptz";
  const beyond = order === "asc" ? ">" : "<";
  return `with inside as (
      select *, position('/' in substr(name, length($2) + 1)) as slash
        from storage.objects where bucket_id = $1 and starts_with(name, $2)
    ), entries as (
      select name, id, updated_at, created_at, last_accessed_at, metadata, false as is_folder
        from inside where slash = 0 or not $3::boolean
      union all
      select left(name, length($2) + slash), null, min(updated_at), min(created_at), null, null, true
        from inside where slash > 0 and $3::boolean group by 1
    )
    select *, (${sortedBy})::text as sorted_by from entries
    where $4::text is null or (${sortedBy}, name collate "C") ${beyond} (${after}, $5)
    order by ${sortedBy} ${order}, name collate "C" ${order} limit $6::bigint`;
}

function lastPart(name: string): string {
  return name.split("/").findLast((part) => part !== "") ?? name;
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

function readCursor(text: string): Cursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    throw new StorageError("InvalidParameter", 400, "InvalidParameter", "Invalid Parameter continuation token");
  }
}
