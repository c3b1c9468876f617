import type { Bucket } from "../buckets/bucket-rows.ts";
import { tooLarge } from "../errors.ts";
import type { StoredObject } from "../rendering.ts";
import { requireAllowed } from "./content-type.ts";

/** Refuses an object that a bucket would not take as an upload. Fails with a `StorageError`. */
export function requireFits({ size, mimetype }: Pick<StoredObject, "size" | "mimetype">, bucket: Bucket): void {
  if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw tooLarge();
  requireAllowed(mimetype, bucket.allowed_mime_types);
}
