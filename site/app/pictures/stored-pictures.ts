/** A picture of a post in our own storage; its name tells how large it is. */
export interface StoredPicture {
  name: string;
  width: number;
  height: number;
}

/** What an `<img>` of a stored picture is given, so that the browser chooses a size and leaves the room before it has come. */
export interface PictureAttributes {
  src: string;
  srcSet: string;
  sizes: string;
  width: number;
  height: number;
}

export const POST_IMAGES = "post-images";

const STORED = `/storage/v1/object/public/${POST_IMAGES}/`;
const DRAWN = `/storage/v1/render/image/public/${POST_IMAGES}/`;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*-([1-9]\d{0,4})x([1-9]\d{0,4})\.(?:jpg|png|webp|avif)$/;
const WIDTHS = [480, 800, 1200, 1600];
const PREVIEW = { width: 1200, height: 630 };

/** The address a post names a stored picture by, at whatever origin the site is reached. */
export function storedAddress(name: string): string {
  return STORED + name;
}

/** The stored picture an address leads to; null for one that is elsewhere. */
export function storedPicture(address: string): StoredPicture | null {
  return address.startsWith(STORED) ? pictureOfName(address.slice(STORED.length)) : null;
}

/** What a name in the storage tells of its picture; null where it was not named by these rules. */
export function pictureOfName(name: string): StoredPicture | null {
  const [, width, height] = NAME.exec(name) ?? [];
  return width === undefined || height === undefined ? null : { name, width: Number(width), height: Number(height) };
}

/** The attributes of an `<img>` that shows a picture as wide as `sizes` says; those of one that is not ours are its address alone. */
export function pictureAttributes(address: string, sizes: string): PictureAttributes | { src: string } {
  const picture = storedPicture(address);
  if (!picture) return { src: address };
  const { name, width, height } = picture;
  const smaller = WIDTHS.filter((one) => one < width);
  const widths = smaller.length === WIDTHS.length ? smaller : [...smaller, width];
  const middle = widths.findLast((one) => one <= PREVIEW.width) ?? width;
  return {
    src: drawnAddress(name, { width: middle }),
    srcSet: widths.map((one) => `${drawnAddress(name, { width: one })} ${one}w`).join(", "),
    sizes,
    width,
    height,
  };
}

/** Where a stored picture is drawn in a size, in the best format the browser takes. Both lengths cut it to their box. */
export function drawnAddress(name: string, { width, height }: { width: number; height?: number }): string {
  // Without a box, what a hosted project does with `cover` is to keep the height.
  const box = height === undefined ? "resize=contain" : `height=${height}&resize=cover`;
  return `${DRAWN}${name}?width=${width}&${box}`;
}

/** What previews show of a picture, and how large it is where that is known; they know few formats. */
export function previewOf(address: string): { address: string; size?: { width: number; height: number } } {
  const picture = storedPicture(address);
  if (!picture) return { address };
  const isLarge = picture.width >= PREVIEW.width && picture.height >= PREVIEW.height;
  return { address: `${drawnAddress(picture.name, PREVIEW)}&format=origin`, ...(isLarge && { size: PREVIEW }) };
}
