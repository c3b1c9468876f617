import type { Database } from "../../db/database.ts";
import { noSuchBucket } from "../errors.ts";
import type { StoredObject } from "../rendering.ts";
import { findObject, toStoredObject } from "./object-rows.ts";

/** The objects of public buckets, which everybody may read: those asked for lately are known without asking the database. */
export interface PublicObjects {
  /** Finds an object of a public bucket. Fails with `NoSuchBucket` and `NoSuchKey`. */
  find(bucket: string, name: string): Promise<StoredObject>;
  /** Stops knowing an object, or all of a bucket. */
  forget(bucket: string, name?: string): void;
  close(): Promise<void>;
}

const MOST_KNOWN = 2000;
const CHANGES = "storage_changes";

/** Opens them; a change is known here before whoever made it through this process gets its answer. */
export async function openPublicObjects(database: Database): Promise<PublicObjects> {
  const known = new Map<string, StoredObject>();
  let changes = 0;
  const close = await database.listen(CHANGES, (changed) => {
    changes += 1;
    // A bucket's name holds no slash; without one everything in it may have changed, and without anything, anything.
    if (changed.includes("/")) known.delete(changed);
    else known.clear();
  });

  async function look(bucket: string, name: string): Promise<StoredObject> {
    return database.transaction(
      async (tx) => {
        const [found] = await tx.query("select from storage.buckets where id = $1 and public", [bucket]);
        if (!found) throw noSuchBucket();
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
      const found = await look(bucket, name);
      // What changed while we looked may be what we saw.
      if (before !== changes) return found;
      if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value ?? "");
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
