import { writeFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import type { DrawAnswer, DrawFailure, DrawOrder } from "./drawing.ts";
import type { Format } from "./format.ts";
import { LONGEST_SIDE } from "./transform.ts";

// What a hosted project takes: https://supabase.com/docs/guides/storage/serving/image-transformations
const MOST_PIXELS = 50_000_000;

sharp.concurrency(1);
sharp.cache(false);
// Nothing but the formats of the web is opened, whatever a file says it is: no SVG, which may name other files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif", "Nsgif"].flatMap((name) => [`VipsForeignLoad${name}File`, `VipsForeignLoad${name}Buffer`]),
});

/** Draws a picture into a file, upright and without what its camera wrote of place and time; of a moving one, the first frame. */
export async function draw({ source, target, transform, format }: DrawOrder): Promise<DrawAnswer> {
  // A picture with a few wrong bytes is shown by every browser; one that ends too soon is refused.
  const picture = sharp(source, { failOn: "error", limitInputPixels: false, sequentialRead: true });
  const metadata = await picture.metadata().catch(failed("not_a_picture"));
  if ("failure" in metadata) return metadata;
  // HEIF is the box of AVIF and of HEIC, which needs a licence.
  if (metadata.format === "heif" && metadata.compression !== "av1") return { failure: "not_a_picture", reason: "HEIC" };
  if (metadata.width * metadata.height > MOST_PIXELS)
    return { failure: "too_many_pixels", reason: `${metadata.width} × ${metadata.height} pixels` };

  const bytes = await encoded(resized(picture.autoOrient(), transform), format, transform.quality).toBuffer().catch(failed("broken"));
  if ("failure" in bytes) return bytes;
  await writeFile(target, bytes, { flag: "wx", mode: 0o600 });
  return { drawn: true };
}

function failed(failure: DrawFailure): (error: unknown) => { failure: DrawFailure; reason: string } {
  return (error) => ({ failure, reason: error instanceof Error ? error.message : "unknown" });
}

const FITS = { cover: "cover", contain: "inside", fill: "fill" } as const;

function resized(picture: Sharp, { width, height, resize }: DrawOrder["transform"]): Sharp {
  // As in imgproxy, nothing is drawn larger than it is, and one length alone keeps the proportions.
  if (width !== undefined && height !== undefined) return picture.resize({ width, height, fit: FITS[resize], withoutEnlargement: true });
  return picture.resize({ width: width ?? LONGEST_SIDE, height: height ?? LONGEST_SIDE, fit: "inside", withoutEnlargement: true });
}

function encoded(picture: Sharp, format: Format, quality: number | undefined): Sharp {
  switch (format) {
    case "avif":
      // At the default effort of 4 a wide picture takes 14 times as long, for a tenth of the size.
      return picture.avif({ quality: quality ?? 55, effort: 2 });
    case "webp":
      return picture.webp({ quality: quality ?? 79 });
    case "jpeg":
      return picture.flatten({ background: "white" }).jpeg({ quality: quality ?? 80, mozjpeg: true });
    case "png":
      return picture.png();
    case "gif":
      return picture.gif();
  }
}
