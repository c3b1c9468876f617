import type { Bucket } from "../buckets/bucket-rows.ts";
import { tooLarge } from "../errors.ts";
import type { StoredObject } from "./stored-object.ts";
import { requireAllowed } from "./content-type.ts";

/** Checks an object against the size and type limits of a bucket. Fails with a `StorageError`. */
export function requireFits({ size, mimetype }: Pick<StoredObject, "size" | "mimetype">, bucket: Bucket): void {
  if (bucket.file_size_limit !== null && size > bucket.file_size_limit) throw tooLarge();
  requireAllowed(mimetype, bucket.allowed_mime_types);
}
