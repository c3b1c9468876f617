import { refused, type Refusal } from "../../frame/outcome.ts";

/** A picture ready for upload: upright, at most 2400 pixels wide and high, without metadata. */
export interface PreparedPicture {
  bytes: Blob;
  width: number;
  height: number;
  /** A thumbnail as a data URL. */
  thumbnail: string;
}

const LONGEST_SIDE = 2400;
const THUMBNAIL_SIDE = 240;
const LARGEST_FILE = 80_000_000;
const LARGEST_UPLOAD = 10_000_000;

/**
 * Re-encodes a picture in the browser: applies its EXIF orientation and removes its metadata, which may contain the place it was
 * taken. Of an animation only the first frame remains.
 */
export async function preparePicture(file: File): Promise<PreparedPicture | Refusal> {
  if (file.size > LARGEST_FILE) return refused(`${file.name} is larger than 80 MB. Save a smaller copy and choose that.`);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return refused(`${file.name} cannot be opened as a picture here. Save it as JPEG or PNG and choose that.`);
  try {
    const canvas = scaled(bitmap, LONGEST_SIDE);
    const bytes = await encode(canvas, file.type);
    if (!bytes) return refused(`${file.name} is too large a picture for this browser. Save a smaller copy and choose that.`);
    if (bytes.size > LARGEST_UPLOAD)
      return refused(`${file.name} is still larger than 10 MB after it was made smaller. Save it as JPEG and choose that.`);
    const thumbnail = scaled(bitmap, THUMBNAIL_SIDE).toDataURL("image/jpeg", 0.8);
    return { bytes, width: canvas.width, height: canvas.height, thumbnail };
  } finally {
    bitmap.close();
  }
}

function scaled(bitmap: ImageBitmap, longestSide: number): HTMLCanvasElement {
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** Encodes photographs as JPEG, and what may be transparent as WebP, or PNG in browsers that cannot write WebP. */
function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  const isPhotograph = ["image/jpeg", "image/heic", "image/heif"].includes(type);
  return new Promise((resolve) => canvas.toBlob(resolve, isPhotograph ? "image/jpeg" : "image/webp", 0.9));
}
