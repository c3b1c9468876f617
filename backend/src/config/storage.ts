import { z } from "zod";

const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };
const SIZE = /^(\d+(?:\.\d+)?) ?([kmgt]?)i?b?$/i;

/** Parses a size as the CLI does, in bytes: "50MiB" and "50MB" are both 50 × 1024². */
const sizeSchema = z.union([z.int().nonnegative(), z.string()]).transform((given, context) => {
  if (typeof given === "number") return given;
  const [, amount, unit] = SIZE.exec(given) ?? [];
  const bytes = Math.floor(Number(amount) * (UNITS[unit?.toLowerCase() ?? ""] ?? Number.NaN));
  if (Number.isSafeInteger(bytes)) return bytes;
  context.addIssue({ code: "custom", message: 'must be a size such as "50MiB"' });
  return z.NEVER;
});

const bucketSchema = z.object({
  public: z.boolean().default(false),
  file_size_limit: sizeSchema.optional(),
  allowed_mime_types: z.array(z.string().min(1)).optional(),
});

/** `[storage]`: switches the storage API, and sets the size limit of an object in bytes and the initial buckets. */
export const storageSchema = z
  .object({
    enabled: z.boolean().default(true),
    file_size_limit: sizeSchema.prefault("50MiB"),
    image_transformation: z.object({ enabled: z.boolean().default(true) }).prefault({}),
    buckets: z.record(z.string(), bucketSchema).default({}),
  })
  .prefault({});
