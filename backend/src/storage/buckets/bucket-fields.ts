import { z } from "zod";
import { featureNotEnabled } from "../errors.ts";
import { parseSize } from "../sizes.ts";

/** Fields of a bucket that can be set; null clears a limit. */
export const bucketFields = {
  public: z.boolean().optional(),
  file_size_limit: z.union([z.int().nonnegative(), z.string(), z.null()]).optional(),
  allowed_mime_types: z.array(z.string()).nullable().optional(),
  versioning_status: z.string().nullish(),
};

/** Refuses versioning, which is not supported. */
export function requireNoVersioning(status: string | null | undefined): void {
  if ((status ?? "DISABLED") !== "DISABLED") throw featureNotEnabled("versioning");
}

/** Reads a limit in bytes; null for none, undefined if absent. Fails with a `StorageError`. */
export function sizeLimit(given: number | string | null | undefined): number | null | undefined {
  return given === null || given === undefined ? given : parseSize(given);
}

/** Writes a list for `$n::text::jsonb`, undefined and null as null. */
export function listJson(given: readonly string[] | null | undefined): string | null {
  return given ? JSON.stringify(given) : null;
}
