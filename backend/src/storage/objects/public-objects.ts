import { LRUCache } from "lru-cache";
import type { Database } from "../../db/database.ts";
import { StorageError } from "../errors.ts";
import type { StoredObject } from "./stored-object.ts";
import { findObject, toStoredObject } from "./object-rows.ts";

/** Rows of objects in public buckets, cached in memory. */
export interface PublicObjects {
  /** Finds an object of a public bucket. Fails with `NoSuchBucket` and `NoSuchKey`. */
  find(bucket: string, name: string): Promise<StoredObject>;
  /** Drops one object, or everything. */
  forget(bucket: string, name?: string): void;
  close(): Promise<void>;
}

const MAX_OBJECTS = 2000;
const CHANGES = "storage_changes";

/** Makes the cache. A change made through this process is announced here before its response is sent. */
export async function openPublicObjects(database: Database): Promise<PublicObjects> {
  const known = new LRUCache<string, StoredObject>({ max: MAX_OBJECTS });
  let changes = 0;
  const close = await database.listen(CHANGES, (changed) => {
    changes += 1;
    // Payload: "bucket/name", "bucket" after a change of the bucket, or "" after a lost connection.
    if (changed.includes("/")) known.delete(changed);
    else known.clear();
  });

  async function query(bucket: string, name: string): Promise<StoredObject> {
    return database.transaction(
      async (tx) => {
        const [found] = await tx.query("select from storage.buckets where id = $1 and public", [bucket]);
        if (!found) throw new StorageError("NoSuchBucket");
        return toStoredObject(await findObject(tx, bucket, name));
      },
      { readOnly: true },
    );
  }

  return {
    async find(bucket, name) {
      const key = `${bucket}/${name}`;
      const object = known.get(key);
      if (object) return object;
      const before = changes;
      const found = await query(bucket, name);
      // The row may have changed after it was read.
      if (before !== changes) return found;
      known.set(key, found);
      return found;
    },
    forget(bucket, name) {
      changes += 1;
      if (name === undefined) known.clear();
      else known.delete(`${bucket}/${name}`);
    },
    close,
  };
}
