import { z } from "zod";
import { type Call, readCaller } from "../context.ts";
import { findLimits } from "../buckets/bucket-rows.ts";
import { readJson } from "../read-json.ts";
import { asksForOlderOnly, olderVersions } from "./older-versions.ts";

const MOST = 1500;
const COLUMNS = ["name", "updated_at", "created_at", "last_accessed_at"] as const;
const bodySchema = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(100),
  offset: z.number().int().min(0).default(0),
  sortBy: z.object({ column: z.enum(COLUMNS).catch("name"), order: z.enum(["asc", "desc"]).default("asc") }).prefault({ column: "name" }),
  search: z.string().default(""),
  ...olderVersions,
});

/** `POST /object/list/{bucket}`: the files and folders of a folder, by the last segment of their names. */
export async function listObjects(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  const body = await readJson(call.request, bodySchema);
  const { prefix, limit, offset, sortBy, search } = body;
  await findLimits(call.storage.database, call.bucket);
  if (asksForOlderOnly(body)) return Response.json([]);
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const rows = await caller.run((tx) =>
    tx.query(listing(sortBy.column, sortBy.order), [call.bucket, folder, search, Math.min(limit, MOST), offset]),
  );
  return Response.json(rows);
}

// Sorted by name, folders are among the files; sorted by time, which they do not have, they come first.
function listing(column: (typeof COLUMNS)[number], order: "asc" | "desc"): string {
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
