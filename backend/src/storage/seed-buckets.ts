import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { listJson } from "./buckets/bucket-fields.ts";
import { bucketName } from "./names.ts";

const SEED = `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
  values ($1, $1, $2, $3::bigint, (select array_agg(mime) from jsonb_array_elements_text($4::text::jsonb) mime))
  on conflict (id) do update set
    public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types
  where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
    is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types)`;

/** Creates or updates the buckets of config.toml. */
export async function seedBuckets(database: Database, buckets: Config["storage"]["buckets"]): Promise<void> {
  for (const [name, { public: isPublic, file_size_limit: size, allowed_mime_types: types }] of Object.entries(buckets)) {
    await database.transaction((tx) => tx.query(SEED, [bucketName(name), isPublic, size ?? null, listJson(types)]), {
      useReserve: true,
    });
  }
}
