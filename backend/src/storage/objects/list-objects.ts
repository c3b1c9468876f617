import { z } from "zod";
import { readJson } from "../../body/read-json.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import type { Call, Caller } from "../context.ts";
import { StorageError } from "../errors.ts";

const chooseOlder = z.enum(["exclude", "include", "only"]).default("exclude");

/** Parameters of a listing about replaced and removed versions, of which none is stored. */
const olderVersions = { noncurrentVersions: chooseOlder, deleteMarkers: chooseOlder };

/** True if only non-current versions were requested; none is stored. */
function asksForOlderOnly(requested: { noncurrentVersions: string; deleteMarkers: string }): boolean {
  return requested.noncurrentVersions === "only" || requested.deleteMarkers === "only";
}

const MOST_IN_FOLDER = 1500;
const FOLDER_COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"] as const;
const folderSchema = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(100),
  offset: z.number().int().min(0).default(0),
  sortBy: z
    .object({ column: z.enum(FOLDER_COLUMNS).catch("name"), order: z.enum(["asc", "desc"]).default("asc") })
    .prefault({ column: "name" }),
  search: z.string().default(""),
  ...olderVersions,
});

/** `POST /object/list/{bucket}`: the files and folders of a folder, by the last segment of their names. */
export async function listObjects(call: Call, caller: Caller): Promise<Response> {
  const body = await readJson(call.request, folderSchema);
  const { prefix, limit, offset, sortBy, search } = body;
  await findLimits(call.storage.database, call.bucket);
  if (asksForOlderOnly(body)) return Response.json([]);
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const rows = await caller.run((tx) =>
    tx.query(folderListing(sortBy.column, sortBy.order), [call.bucket, folder, search, Math.min(limit, MOST_IN_FOLDER), offset]),
  );
  return Response.json(rows);
}

// Sorted by name, folders are among the files; sorted by time, which they do not have, they come first.
function folderListing(column: (typeof FOLDER_COLUMNS)[number], order: "asc" | "desc"): string {
  const byTime = column === "name" ? "" : `id is not null, ${column} ${order}, `;
  return `with inside as (
      select *, substr(name, length($2) + 1) as rest from storage.objects where bucket_id = $1 and starts_with(name, $2)
    ), entries as (
      select rest as name, id, updated_at, created_at, last_accessed_at, metadata from inside where position('/' in rest) = 0
      union all
      select distinct split_part(rest, '/', 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
        from inside where position('/' in rest) > 0
    )
    select * from entries where starts_with(lower(name), lower($3)) and name <> ''
    order by ${byTime}name collate "C" ${order} limit $4::bigint offset $5::bigint`;
}

const MOST_ON_PAGE = 1000;
const sortSchema = z.object({
  column: z.enum(["name", "updated_at", "created_at"]).default("name"),
  order: z.enum(["asc", "desc"]).default("asc"),
});
const pageSchema = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(MOST_ON_PAGE),
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
export async function listObjectsV2(call: Call, caller: Caller): Promise<Response> {
  const body = await readJson(call.request, pageSchema);
  await findLimits(call.storage.database, call.bucket);
  if (asksForOlderOnly(body)) return Response.json({ hasNext: false, folders: [], objects: [] });
  const cursor = body.cursor === undefined ? undefined : readCursor(body.cursor);
  const sort = cursor?.sort ?? body.sortBy;
  const limit = Math.min(body.limit, MOST_ON_PAGE);
  const values = [call.bucket, body.prefix, body.with_delimiter, cursor?.after ?? null, cursor?.name ?? null, limit + 1];
  const found = await caller.run((tx) => tx.query<Entry>(pageListing(sort), values));
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
function pageListing({ column, order }: Cursor["sort"]): string {
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
    throw new StorageError("InvalidParameter", { message: "Invalid Parameter continuation token" });
  }
}
