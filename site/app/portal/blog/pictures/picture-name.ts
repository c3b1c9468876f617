import { randomHex } from "../../forms/new-id.ts";

const EXTENSIONS: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/png": "png", "image/webp": "webp" };
const LONGEST_TITLE = 60;

/** Makes the storage name of a picture: the words of its file name, a random part and its size. */
export function pictureName(fileName: string, { type, width, height }: { type: string; width: number; height: number }): string {
  const title = fileName
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_TITLE)
    .replace(/^-|-$/g, "");
  return `${title || "picture"}-${randomHex(4)}-${width}x${height}.${EXTENSIONS[type] ?? "jpg"}`;
}

/** Turns a storage name back into words. */
export function pictureTitle(name: string): string {
  return name.replace(/-[0-9a-f]{8}-\d+x\d+\.[a-z]+$/, "").replaceAll("-", " ");
}
