const BLOCK = 512;
/** Files of template1 and template0, whose object identifiers are fixed since PostgreSQL 15. */
const TEMPLATE_FILES = /^\/?base\/[14](\/|$)/;

/**
 * Removes the template databases from an image of the embedded database, a tar archive: a third of its bytes and half of its files,
 * and PGlite connects to neither.
 */
export function withoutTemplates(image: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = [];
  for (let start = 0; start < image.length;) {
    const name = field(image, start, 100);
    // The archive ends with empty blocks.
    const bytes = name === "" ? 0 : Number.parseInt(field(image, start + 124, 12), 8);
    const end = start + BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
    if (!TEMPLATE_FILES.test(name)) kept.push(image.subarray(start, end));
    start = end;
  }
  return Uint8Array.from(Buffer.concat(kept));
}

/** A text in the header of an entry, up to its first zero byte. */
function field(image: Uint8Array, start: number, length: number): string {
  const bytes = image.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return Buffer.from(bytes.subarray(0, end === -1 ? length : end)).toString();
}
