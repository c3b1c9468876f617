import type { Database, Transaction } from "../../db/database.ts";
import { StorageError } from "../errors.ts";

/** A bucket as the API returns it. */
export interface Bucket {
  [column: string]: unknown;
  id: string;
  name: string;
  owner: string;
  public: boolean;
  created_at: Date;
  updated_at: Date;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** The columns that the API returns. */
export const BUCKET_COLUMNS =
  "id, name, coalesce(owner_id, owner::text, '') as owner, public, created_at, updated_at, file_size_limit, allowed_mime_types";

/** Finds a bucket with the rights of the transaction. Fails with `NoSuchBucket`. */
export async function findBucket(tx: Transaction, id: string): Promise<Bucket> {
  const [bucket] = await tx.query<Bucket>(`select ${BUCKET_COLUMNS} from storage.buckets where id = $1`, [id]);
  if (!bucket) throw new StorageError("NoSuchBucket");
  return bucket;
}

/** Finds the limits of a bucket, without the caller's rights. Fails with `NoSuchBucket`. */
export function findLimits(database: Database, id: string): Promise<Bucket> {
  return database.transaction((tx) => findBucket(tx, id), { readOnly: true });
}
