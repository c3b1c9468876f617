import Negotiator from "negotiator";
import { invalidRequest, StorageError } from "../errors.ts";
import { GRAVITIES, type CropPosition } from "./crop.ts";

/** The requested rendition; without width and height the image keeps its size. */
export interface Transform {
  width: number | undefined;
  height: number | undefined;
  resize: Resize;
  /** The part to keep with `cover`; the centre if undefined. */
  crop: CropPosition | undefined;
  /** From 20 to 100; each format has its own default. */
  quality: number | undefined;
  /** `origin` keeps the stored format; undefined chooses the best format that the browser accepts. */
  format: "origin" | "avif" | "webp" | undefined;
}

/** `cover` fills the box and crops, `contain` fits inside the box, `fill` stretches. */
export type Resize = "cover" | "contain" | "fill";

/** The longest side of a rendition in pixels, as in a hosted project. */
export const MAX_SIDE = 2500;

/** The image formats of renditions. */
export type Format = "avif" | "webp" | "jpeg" | "png" | "gif";

const STORED_FORMATS: readonly Format[] = ["avif", "webp", "jpeg", "png", "gif"];
const RESIZES = ["cover", "contain", "fill"] as const;
const FORMATS = ["origin", "avif", "webp"] as const;

/**
 * Reads `width`, `height`, `resize`, `gravity` with its offsets, `quality` and `format`. Lengths are limited to `MAX_SIDE` and 0 counts as absent, as in
 * supabase/storage (src/storage/renderer/image.ts). Fails with a `StorageError` for an invalid value.
 */
export function readTransform(parameters: URLSearchParams): Transform {
  return {
    width: readLength(parameters, "width"),
    height: readLength(parameters, "height"),
    resize: readChoice(parameters, "resize", RESIZES) ?? "cover",
    crop: readCrop(parameters),
    quality: readNumber(parameters, "quality", 20, 100),
    format: readChoice(parameters, "format", FORMATS),
  };
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

function readCrop(parameters: URLSearchParams): CropPosition | undefined {
  const gravity = readChoice(parameters, "gravity", GRAVITIES);
  const x = readOffset(parameters, "x_offset");
  const y = readOffset(parameters, "y_offset");
  if (gravity === undefined) return undefined;
  const isShare = (offset: number | undefined): boolean => offset !== undefined && offset >= 0 && offset <= 1;
  if (gravity === "fp" && !(isShare(x) && isShare(y)))
    throw new StorageError("InvalidParameter", 400, "Invalid Parameter", "Focal point requires x and y coordinates within 0-1 range");
  return { gravity, x, y };
}

function readOffset(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const offset = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(offset)) throw unreadable(name, "must be number");
  return offset;
}

function readLength(parameters: URLSearchParams, name: string): number | undefined {
  const length = readNumber(parameters, name, 0, Number.MAX_SAFE_INTEGER);
  return length === undefined || length === 0 ? undefined : Math.min(length, MAX_SIDE);
}

function readNumber(parameters: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const number = /^-?\d+$/.test(text) ? Number(text) : undefined;
  if (number === undefined) throw unreadable(name, "must be integer");
  if (number < least) throw unreadable(name, `must be >= ${least}`);
  if (number > most) throw unreadable(name, `must be <= ${most}`);
  return number;
}

function readChoice<Choice extends string>(parameters: URLSearchParams, name: string, choices: readonly Choice[]): Choice | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw unreadable(name, "must be equal to one of the allowed values");
  return choice;
}

function unreadable(name: string, reason: string): StorageError {
  return invalidRequest(`querystring/${name} ${reason}`);
}
