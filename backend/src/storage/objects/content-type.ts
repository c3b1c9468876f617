import { StorageError } from "../errors.ts";

/** The number of leading bytes from which a type is detected. */
export const HEAD_SIZE = 4100;

const UNKNOWN = "application/octet-stream";
const SVG = "image/svg+xml";
const TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\t\u0020-\u007E]*)?$/;

// Containers whose content cannot be detected from the first bytes: a stated type of these kinds is used.
const CONTAINERS: ReadonlySet<string> = new Set(["application/zip", "application/x-cfb", "application/xml", "application/gzip"]);
const STATED_IN_CONTAINER = /^(?:application|text|model)\//;
// Types that can always be detected from the first bytes.
const DETECTABLE = /^(?:image\/(?:avif|bmp|gif|heic|heif|jpe?g|jxl|png|tiff|webp)|audio\/|video\/|application\/pdf$)/;

/**
 * Determines an object's type: from its first bytes if they are recognised, else as stated. A stated image, audio, video or
 * PDF type that the bytes do not confirm becomes `application/octet-stream`.
 */
export async function decideType(head: Uint8Array, stated: string): Promise<string> {
  if (!TYPE.test(stated) || stated.length > 255) throw unsupported(stated.slice(0, 100).replaceAll(/[^\u0020-\u007E]/g, "?"));
  // Loaded with the first upload.
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(head))?.mime;
  const name = bareType(stated);
  if (isSvg(head)) return SVG;
  if (found !== undefined && CONTAINERS.has(found)) return STATED_IN_CONTAINER.test(name) && name !== UNKNOWN ? stated : found;
  if (found !== undefined) return found === name ? stated : found;
  return DETECTABLE.test(name) || name === SVG ? UNKNOWN : stated;
}

/** Checks a type against the allowed types of a bucket; `image/*` matches every image, and an empty list allows everything. */
export function requireAllowed(type: string, allowed: readonly string[] | null): void {
  if (allowed === null || allowed.length === 0) return;
  const name = bareType(type);
  const isAllowed = allowed
    .map(bareType)
    .some((one) => one === name || one === "*/*" || (one.endsWith("/*") && name.startsWith(one.slice(0, -1))));
  if (!isAllowed) throw unsupported(name);
}

function unsupported(type: string): StorageError {
  return new StorageError("InvalidMimeType", { message: `mime type ${type} is not supported` });
}

/** A type without parameters, under its registered name. */
export function bareType(type: string): string {
  const name = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return name === "image/jpg" ? "image/jpeg" : name;
}

/** True if the first element of the document is `svg`. */
function isSvg(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  return /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>]*)?>)*<(?:\w+:)?svg[\s>/]/i.test(text);
}
