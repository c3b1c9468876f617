import { refused, type Refusal } from "../../frame/outcome.ts";

/** A picture that is ready to be sent: upright, no larger than pages show it, and without what its camera noted. */
export interface PreparedImage {
  bytes: Blob;
  width: number;
  height: number;
  /** A small copy, as a data address. */
  preview: string;
}

const LONGEST_SIDE = 2400;
const PREVIEW_SIDE = 240;
const LARGEST_FILE = 80_000_000;
const LARGEST_PICTURE = 10_000_000;

/**
 * Draws the picture of a file anew, in the browser: turned as its camera noted, and with nothing left of that note, which may
 * say where it was taken. A moving picture becomes its first frame.
 */
export async function prepareImage(file: File): Promise<PreparedImage | Refusal> {
  if (file.size > LARGEST_FILE) return refused(`${file.name} is larger than 80 MB. Save a smaller copy and choose that.`);
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return refused(`${file.name} cannot be opened as a picture here. Save it as JPEG or PNG and choose that.`);
  try {
    const drawn = draw(picture, LONGEST_SIDE);
    const bytes = await encode(drawn, file.type);
    if (!bytes) return refused(`${file.name} is too large a picture for this browser. Save a smaller copy and choose that.`);
    if (bytes.size > LARGEST_PICTURE)
      return refused(`${file.name} is still larger than 10 MB when made smaller. Save it as JPEG and choose that.`);
    return { bytes, width: drawn.width, height: drawn.height, preview: draw(picture, PREVIEW_SIDE).toDataURL("image/jpeg", 0.8) };
  } finally {
    picture.close();
  }
}

function draw(picture: ImageBitmap, longestSide: number): HTMLCanvasElement {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** A photograph stays JPEG; what may be see-through becomes WebP, or PNG where the browser cannot write WebP. */
function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  const isPhotograph = type === "image/jpeg" || type === "image/heic" || type === "image/heif";
  return new Promise((resolve) => canvas.toBlob(resolve, isPhotograph ? "image/jpeg" : "image/webp", 0.9));
}
