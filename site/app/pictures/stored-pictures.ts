/** A picture of a post in our storage; its name contains its size. */
export interface StoredPicture {
  name: string;
  width: number;
  height: number;
}

/** The attributes of the `<img>` of a stored picture: a `srcset`, and the size that prevents a layout shift. */
interface PictureAttributes {
  src: string;
  srcSet: string;
  sizes: string;
  width: number;
  height: number;
}

export const POST_IMAGES = "post-images";

const STORED = `/storage/v1/object/public/${POST_IMAGES}/`;
const RENDITIONS = `/storage/v1/render/image/public/${POST_IMAGES}/`;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*-([1-9]\d{0,4})x([1-9]\d{0,4})\.(?:jpg|png|webp|avif)$/;
const WIDTHS = [480, 800, 1200, 1600];
const PREVIEW = { width: 1200, height: 630 };

/** The address of a stored picture in a post, without an origin. */
export function storedAddress(name: string): string {
  return STORED + name;
}

/** The stored picture at an address; null for an address elsewhere. */
export function storedPicture(address: string): StoredPicture | null {
  return address.startsWith(STORED) ? pictureOfName(address.slice(STORED.length)) : null;
}

/** Reads the size from the name of a stored picture; null if the name does not contain it. */
export function pictureOfName(name: string): StoredPicture | null {
  const [, width, height] = NAME.exec(name) ?? [];
  return width === undefined || height === undefined ? null : { name, width: Number(width), height: Number(height) };
}

/** The attributes of an `<img>` with the given `sizes`; a picture elsewhere gets its address alone. */
export function pictureAttributes(address: string, sizes: string): PictureAttributes | { src: string } {
  const picture = storedPicture(address);
  if (!picture) return { src: address };
  const { name, width, height } = picture;
  const smaller = WIDTHS.filter((one) => one < width);
  const widths = smaller.length === WIDTHS.length ? smaller : [...smaller, width];
  const middle = widths.findLast((one) => one <= PREVIEW.width) ?? width;
  return {
    src: renditionAddress(name, { width: middle }),
    srcSet: widths.map((one) => `${renditionAddress(name, { width: one })} ${one}w`).join(", "),
    sizes,
    width,
    height,
  };
}

/** The address of a rendition in the best format the browser accepts; with both lengths the picture is cropped to them. */
export function renditionAddress(name: string, { width, height }: { width: number; height?: number }): string {
  // With only a width, the mode `cover` of a hosted project keeps the original height.
  const box = height === undefined ? "resize=contain" : `height=${height}&resize=cover`;
  return `${RENDITIONS}${name}?width=${width}&${box}`;
}

/** The rendition of a picture for link previews, which support few formats, with its size if known. */
export function previewOf(address: string): { address: string; size?: { width: number; height: number } } {
  const picture = storedPicture(address);
  if (!picture) return { address };
  const isLarge = picture.width >= PREVIEW.width && picture.height >= PREVIEW.height;
  return { address: `${renditionAddress(picture.name, PREVIEW)}&format=origin`, ...(isLarge && { size: PREVIEW }) };
}
