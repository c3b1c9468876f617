import Negotiator from "negotiator";
import { z } from "zod";
import { StorageError } from "../errors.ts";
import { readQuery } from "../query.ts";
import { GRAVITIES, type CropPosition } from "./crop.ts";

/** The longest side of a rendition in pixels, as in a hosted project. */
export const MAX_SIDE = 2500;

const DIGITS = z
  .string()
  .regex(/^-?\d+$/, "must be integer")
  .transform(Number);
const LENGTH = DIGITS.pipe(z.number().min(0, "must be >= 0")).transform((length) => Math.min(length, MAX_SIDE) || undefined);
const OFFSET = z
  .string()
  .refine((text) => text.trim() !== "" && Number.isFinite(Number(text)), "must be number")
  .transform(Number);
const UNKNOWN = "must be equal to one of the allowed values";

// As in supabase/storage (src/storage/renderer/image.ts): lengths are limited and 0 counts as absent.
const transformSchema = z
  .object({
    /** Without width and height the image keeps its size. */
    width: LENGTH.optional(),
    height: LENGTH.optional(),
    /** `cover` fills the box and crops, `contain` fits inside the box, `fill` stretches. */
    resize: z.enum(["cover", "contain", "fill"], UNKNOWN).default("cover"),
    gravity: z.enum(GRAVITIES, UNKNOWN).optional(),
    x_offset: OFFSET.optional(),
    y_offset: OFFSET.optional(),
    /** Each format has its own default. */
    quality: DIGITS.pipe(z.number().min(20, "must be >= 20").max(100, "must be <= 100")).optional(),
    /** `origin` keeps the stored format; undefined chooses the best format that the browser accepts. */
    format: z.enum(["origin", "avif", "webp"], UNKNOWN).optional(),
  })
  // The part to keep with `cover`; the centre if undefined.
  .transform(({ gravity, x_offset: x, y_offset: y, ...rest }) => ({ ...rest, crop: gravity && requireFocus({ gravity, x, y }) }));

/** The requested rendition. */
export type Transform = z.infer<typeof transformSchema>;

/** The image formats of renditions. */
export type Format = "avif" | "webp" | "jpeg" | "png" | "gif";

const STORED_FORMATS: readonly Format[] = ["avif", "webp", "jpeg", "png", "gif"];

/** Reads the parameters of a rendition. Fails with a `StorageError` for an invalid value. */
export function readTransform(parameters: URLSearchParams): Transform {
  return readQuery(parameters, transformSchema);
}

const RESIZING_TYPES = { cover: "fill", contain: "fit", fill: "force" } as const;

/** The value of `X-Transformations`, as in supabase/storage (src/storage/renderer/image.ts); equal transforms have equal texts. */
export function transformName({ width, height, resize, crop, quality, format }: Transform): string {
  const resizing = width === undefined && height === undefined ? undefined : RESIZING_TYPES[resize];
  const parts = {
    height,
    width,
    resizing_type: resizing,
    quality,
    format: format === "origin" ? undefined : format,
    gravity: cropName(crop),
  };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(",");
}

function cropName(crop: CropPosition | undefined): string | undefined {
  if (!crop || crop.gravity === "sm" || (crop.x === undefined && crop.y === undefined)) return crop?.gravity;
  return `${crop.gravity}:${crop.x ?? 0}:${crop.y ?? 0}`;
}

/**
 * Chooses the requested format, else the best format that the browser names in `Accept`, else the stored one; JPEG if the
 * object's type is no image format. A wildcard in `Accept` does not count: old browsers send it and show neither.
 */
export function chooseFormat({ format }: Transform, mimetype: string, accept: string | null): Format {
  if (format === "avif" || format === "webp") return format;
  if (format === undefined) {
    const accepted = new Set(new Negotiator({ headers: { accept: accept ?? "" } }).mediaTypes().map((type) => type.toLowerCase()));
    if (accepted.has("image/avif")) return "avif";
    if (accepted.has("image/webp")) return "webp";
  }
  return STORED_FORMATS.find((stored) => mimetype === `image/${stored}`) ?? "jpeg";
}

function requireFocus(crop: CropPosition): CropPosition {
  const isShare = (offset: number | undefined): boolean => offset !== undefined && offset >= 0 && offset <= 1;
  if (crop.gravity === "fp" && !(isShare(crop.x) && isShare(crop.y)))
    throw new StorageError("InvalidParameter", {
      error: "Invalid Parameter",
      message: "Focal point requires x and y coordinates within 0-1 range",
    });
  return crop;
}
