import { StorageError } from "./errors.ts";

/** The maximum length of an S3 key, in bytes of UTF-8. */
const LONGEST_NAME = 1024;
const LONGEST_BUCKET_NAME = 100;

// Control characters and non-characters: they cannot be shown or written in XML.
const UNWRITABLE = /[\p{Cc}\uFFFE\uFFFF\\]/u;
// The characters that are safe in S3 keys, as in supabase/storage (src/storage/limits.ts).
const BUCKET_NAME = /^[\w!.*'() &$@=;:+,?-]+$/;

/**
 * Returns a valid object name: segments between single slashes, none of them `.` or `..`.
 * Fails with a `StorageError` (`InvalidKey`).
 */
export function objectName(name: string): string {
  const isWhole = name.isWellFormed() && !UNWRITABLE.test(name) && Buffer.byteLength(name) <= LONGEST_NAME;
  if (!isWhole || name.split("/").some((segment) => segment === "" || segment === "." || segment === ".."))
    throw new StorageError("InvalidKey", { message: `Invalid key: ${shown(name)}` });
  return name;
}

/** Returns a valid bucket name. Fails with a `StorageError` (`InvalidBucketName`). */
export function bucketName(name: string): string {
  if (name.length <= LONGEST_BUCKET_NAME && BUCKET_NAME.test(name) && name.trim() === name && name !== "." && name !== "..") return name;
  throw new StorageError("InvalidBucketName");
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name;
}
