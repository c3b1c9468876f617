import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { cropTo, type Size } from "./crop.ts";
import { type Format, MAX_SIDE, type Transform } from "./transform.ts";

/** One rendition to make; the pool chooses both file names. */
export interface RenderTask {
  source: string;
  target: string;
  transform: Pick<Transform, "width" | "height" | "resize" | "crop" | "quality">;
  format: Format;
}

export type RenderFailure = "not_an_image" | "too_many_pixels" | "broken";

export type RenderResult = { rendered: true } | { failure: RenderFailure; reason: string };

// Limit of a hosted project: https://supabase.com/docs/guides/storage/serving/image-transformations
const MAX_PIXELS = 50_000_000;

sharp.concurrency(1);
sharp.cache(false);
// Only web formats are decoded, whatever the type of the object. SVG is not among them: it can refer to other files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].flatMap((name) => [`VipsForeignLoad${name}File`, `VipsForeignLoad${name}Buffer`]),
});

/** Renders an image into a file: EXIF orientation applied, metadata removed, first frame of an animation. */
export async function run({ source, target, transform, format }: RenderTask): Promise<RenderResult> {
  // Browsers show images with a few wrong bytes or a wrong checksum; truncated ones are refused.
  const image = sharp(source, { failOn: "truncated", limitInputPixels: false, sequentialRead: true });
  const metadata = await image.metadata().catch(failed("not_an_image"));
  if ("failure" in metadata) return metadata;
  // HEIF contains AVIF or HEIC; HEIC decoders need a licence.
  if (metadata.format === "heif" && metadata.compression !== "av1") return { failure: "not_an_image", reason: "HEIC" };
  if (metadata.width * metadata.height > MAX_PIXELS)
    return { failure: "too_many_pixels", reason: `${metadata.width} × ${metadata.height} pixels` };

  const bytes = await encode(resize(image.autoOrient(), transform, metadata.autoOrient), format, transform.quality)
    .toBuffer()
    .catch(failed("broken"));
  if ("failure" in bytes) return bytes;
  await writeFile(target, bytes, { flag: "wx", mode: 0o600 });
  return { rendered: true };
}

function failed(failure: RenderFailure): (error: unknown) => { failure: RenderFailure; reason: string } {
  return (error) => ({ failure, reason: error instanceof Error ? error.message : "unknown" });
}

const FITS = { cover: "cover", contain: "inside", fill: "fill" } as const;

function resize(image: Sharp, { width, height, resize: mode, crop }: RenderTask["transform"], upright: Size): Sharp {
  // As in imgproxy: images are never enlarged, and one length alone keeps the proportions.
  if (width !== undefined && height !== undefined) {
    if (mode !== "cover" || crop === undefined || crop.gravity === "sm")
      return image.resize({ width, height, fit: FITS[mode], withoutEnlargement: true, ...(crop ? { position: "attention" } : {}) });
    const { scaled, part } = cropTo(upright, { width, height }, crop);
    return image.resize({ ...scaled, fit: "fill" }).extract(part);
  }
  return image.resize({ width: width ?? MAX_SIDE, height: height ?? MAX_SIDE, fit: "inside", withoutEnlargement: true });
}

function encode(image: Sharp, format: Format, quality: number | undefined): Sharp {
  switch (format) {
    case "avif":
      // The default effort of 4 takes 14 times as long on wide images and saves a tenth of the size.
      return image.avif({ quality: quality ?? 55, effort: 2 });
    case "webp":
      return image.webp({ quality: quality ?? 79 });
    case "jpeg":
      return image.flatten({ background: "white" }).jpeg({ quality: quality ?? 80, mozjpeg: true });
    case "png":
      return image.png();
    case "gif":
      return image.gif();
  }
}
