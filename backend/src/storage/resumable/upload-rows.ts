import type { Database } from "../../db/database.ts";
import { HOUR_MS } from "../../jobs.ts";

/** The state of a resumable upload. */
export interface ResumableUpload extends Record<string, unknown> {
  id: string;
  bucket_id: string;
  name: string;
  /** The holder that created it (`holderOf`); only this one may continue it. */
  owner_id: string | null;
  upsert: boolean;
  size: number;
  received: number;
  metadata: Record<string, string>;
  /** The version of the object, once completion has begun. */
  version: string | null;
  created_at: Date;
}

export type NewUpload = Pick<ResumableUpload, "id" | "bucket_id" | "name" | "owner_id" | "upsert" | "size" | "metadata">;

/** Lifetime of an upload. */
export const LIFETIME_MS = 24 * HOUR_MS;

export async function insertUpload(database: Database, upload: NewUpload): Promise<void> {
  const { id, bucket_id, name, owner_id, upsert, size, metadata } = upload;
  await database.transaction((tx) =>
    tx.query(
      `insert into storage.resumable_uploads (id, bucket_id, name, owner_id, upsert, size, metadata, expires_at)
        values ($1::uuid, $2, $3, $4, $5, $6, $7::text::jsonb, now() + $8::float8 * interval '1 millisecond')`,
      [id, bucket_id, name, owner_id, upsert, size, JSON.stringify(metadata), LIFETIME_MS],
    ),
  );
}

export async function findUpload(database: Database, id: string): Promise<ResumableUpload | null> {
  const [row] = await database.transaction(
    (tx) =>
      tx.query<ResumableUpload>(
        `select id, bucket_id, name, owner_id, upsert, size, received, metadata, version, created_at
          from storage.resumable_uploads where id = $1::uuid`,
        [id],
      ),
    { readOnly: true },
  );
  return row ?? null;
}

/** Records a received part; false if another request has recorded one at the same offset. */
export function insertPart(database: Database, id: string, part: { start: number; size: number; version: string }): Promise<boolean> {
  const { start, size, version } = part;
  return database.transaction(async (tx) => {
    const [moved] = await tx.query(
      "update storage.resumable_uploads set received = received + $3::bigint where id = $1::uuid and received = $2::bigint returning id",
      [id, start, size],
    );
    if (!moved) return false;
    await tx.query("insert into storage.resumable_parts (upload_id, start, size, version) values ($1::uuid, $2::bigint, $3::bigint, $4)", [
      id,
      start,
      size,
      version,
    ]);
    return true;
  });
}

/** Lists the keys of an upload's parts in order. */
export async function partVersions(database: Database, id: string): Promise<string[]> {
  const rows = await database.transaction(
    (tx) => tx.query<{ version: string }>("select version from storage.resumable_parts where upload_id = $1::uuid order by start", [id]),
    { readOnly: true },
  );
  return rows.map(({ version }) => version);
}

/** Records the version of the object before completion, so that a repeated completion can detect the first one. */
export async function rememberVersion(database: Database, id: string, version: string): Promise<void> {
  await database.transaction((tx) => tx.query("update storage.resumable_uploads set version = $2 where id = $1::uuid", [id, version]));
}

/** True if an object has this version. */
export async function isStored(database: Database, version: string): Promise<boolean> {
  const rows = await database.transaction((tx) => tx.query("select from storage.objects where version = $1", [version]), {
    readOnly: true,
  });
  return rows.length > 0;
}

/** Records that an upload is complete; the row remains for clients that missed the response. */
export async function completeUpload(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("update storage.resumable_uploads set received = size where id = $1::uuid", [id]);
    await tx.query("delete from storage.resumable_parts where upload_id = $1::uuid", [id]);
  });
}

export async function deleteUpload(database: Database, id: string): Promise<void> {
  await database.transaction((tx) => tx.query("delete from storage.resumable_uploads where id = $1::uuid", [id]));
}
