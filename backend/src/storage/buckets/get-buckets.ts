import { z } from "zod";
import { type Call, readCaller } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { BUCKET_COLUMNS } from "./bucket-rows.ts";

const querySchema = z.object({
  limit: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  sortColumn: z.enum(["id", "name", "created_at", "updated_at"]).default("name"),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  search: z.string().default(""),
});

/** `GET /bucket`: the buckets that the caller may read. */
export async function getBuckets(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  const parsed = querySchema.safeParse(Object.fromEntries(call.url.searchParams));
  if (!parsed.success) throw invalidRequest(`querystring/${parsed.error.issues[0]?.path.join("/")} ${parsed.error.issues[0]?.message}`);
  const { limit = null, offset = 0, sortColumn, sortOrder, search } = parsed.data;
  const buckets = await caller.run((tx) =>
    tx.query(
      `select ${BUCKET_COLUMNS}, type from storage.buckets
        where type = 'STANDARD' and position(lower($1) in lower(name)) > 0
        order by ${sortColumn} ${sortOrder}, id limit $2::bigint offset $3::bigint`,
      [search, limit, offset],
    ),
  );
  return Response.json(buckets);
}
