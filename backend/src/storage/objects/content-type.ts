import { invalidMimeType } from "../errors.ts";

/** How many bytes from the beginning tell a type. */
export const HEAD_SIZE = 4100;

const UNKNOWN = "application/octet-stream";
const SVG = "image/svg+xml";
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\t\u0020-\u007E]*)?$/;

// Containers whose content their first bytes do not tell apart: what is said of them is believed.
const CONTAINERS: ReadonlySet<string> = new Set(["application/zip", "application/x-cfb", "application/xml", "application/gzip"]);
const UNTOLD = /^(?:application|text|model)\//;
// Types every file of which is known by its first bytes.
const TOLD = /^(?:image\/(?:avif|bmp|gif|heic|heif|jpe?g|jxl|png|tiff|webp)|audio\/|video\/|application\/pdf$)/;

/**
 * Decides an object's type: by content where its first bytes tell, else as its sender says. A sender who calls something a
 * picture, a recording or a PDF that is none is not believed.
 */
export async function decideType(head: Uint8Array, said: string): Promise<string> {
  if (!TYPE.test(said) || said.length > 255) throw invalidMimeType(said.slice(0, 100).replaceAll(/[^\u0020-\u007E]/g, "?"));
  // Loaded with the first upload.
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(head))?.mime;
  const name = bareType(said);
  if (isSvg(head)) return SVG;
  if (found !== undefined && CONTAINERS.has(found)) return UNTOLD.test(name) && name !== UNKNOWN ? said : found;
  if (found !== undefined) return found === name ? said : found;
  return TOLD.test(name) || name === SVG ? UNKNOWN : said;
}

/** Refuses a type that a bucket does not allow; `image/*` allows every picture, and an empty list everything. */
export function requireAllowed(type: string, allowed: readonly string[] | null): void {
  if (allowed === null || allowed.length === 0) return;
  const name = bareType(type);
  const isAllowed = allowed
    .map(bareType)
    .some((one) => one === name || one === "*/*" || (one.endsWith("/*") && name.startsWith(one.slice(0, -1))));
  if (!isAllowed) throw invalidMimeType(name);
}

/** A type without its parameters, by the name it is registered under. */
export function bareType(type: string): string {
  const name = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return name === "image/jpg" ? "image/jpeg" : name;
}

/** A document whose first element is `svg`, after whatever XML allows before it. */
function isSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  return /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>]*)?>)*<(?:\w+:)?svg[\s>/]/i.test(text);
}
