import { z } from "zod";
import { isDeeperThan } from "../body/read-json.ts";

/** The deepest nesting of metadata. Access tokens contain metadata, and their readers do not accept every depth. */
const MAX_METADATA_DEPTH = 100;

/** A string field; absent, null and the empty string are equal, as in GoTrue. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A string field that is undefined if absent, null or empty. */
export const optionalText = text.transform((value) => value || undefined);

/** A boolean field; absent or null is false. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** A field of free-form metadata; absent or null is undefined. */
export const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .refine((value) => !isDeeperThan(value, MAX_METADATA_DEPTH), `nested deeper than ${MAX_METADATA_DEPTH} levels`)
  .transform((value) => value ?? undefined);
