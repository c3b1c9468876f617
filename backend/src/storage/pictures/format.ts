import type { Transform } from "./transform.ts";

/** The formats that are drawn. */
export type Format = "avif" | "webp" | "jpeg" | "png" | "gif";

const STORED: readonly Format[] = ["avif", "webp", "jpeg", "png", "gif"];
const ACCEPTS = { avif: accepting("avif"), webp: accepting("webp") };

/**
 * Chooses what a transform asks for, or the best that a request accepts, or the format the picture is stored in; JPEG
 * where its type does not tell.
 */
export function chosenFormat(transform: Transform, mimetype: string, accept: string | null): Format {
  if (transform.format === "avif") return "avif";
  if (transform.format === undefined && accept !== null) {
    if (ACCEPTS.avif.test(accept)) return "avif";
    if (ACCEPTS.webp.test(accept)) return "webp";
  }
  return STORED.find((format) => mimetype === `image/${format}`) ?? "jpeg";
}

function accepting(name: string): RegExp {
  return new RegExp(`\\bimage/${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, "i");
}
