import { invalidRequest, type StorageError } from "../errors.ts";

/** What is asked of a picture; without a width and a height it keeps its size. */
export interface Transform {
  width: number | undefined;
  height: number | undefined;
  resize: Resize;
  /** From 20 to 100; each format has its own where none is asked for. */
  quality: number | undefined;
  /** `origin` keeps the format it was stored in; without one the best that the asker accepts is chosen. */
  format: "origin" | "avif" | undefined;
}

/** `cover` fills the box and cuts what juts out, `contain` fits inside it, `fill` stretches. */
export type Resize = "cover" | "contain" | "fill";

/** The longest side that is drawn, in pixels: what a hosted project allows. */
export const LONGEST_SIDE = 2500;

const RESIZES = ["cover", "contain", "fill"] as const;
const FORMATS = ["origin", "avif"] as const;

/**
 * Reads `width`, `height`, `resize`, `quality` and `format`. Lengths above the longest side are cut to it and 0 counts as
 * absent, as in supabase/storage (src/storage/renderer/image.ts). Fails with a `StorageError` where one cannot be read.
 */
export function readTransform(asked: URLSearchParams): Transform {
  return {
    width: readLength(asked, "width"),
    height: readLength(asked, "height"),
    resize: readChoice(asked, "resize", RESIZES) ?? "cover",
    quality: readNumber(asked, "quality", 20, 100),
    format: readChoice(asked, "format", FORMATS),
  };
}

/** Names a transform in one short text, the same for two that ask for the same. */
export function transformName({ width, height, resize, quality, format }: Transform): string {
  const parts = { width, height, resize: width === undefined && height === undefined ? undefined : resize, quality, format };
  return Object.entries(parts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(",");
}

function readLength(asked: URLSearchParams, name: string): number | undefined {
  const length = readNumber(asked, name, 0, Number.MAX_SAFE_INTEGER);
  return length === undefined || length === 0 ? undefined : Math.min(length, LONGEST_SIDE);
}

function readNumber(asked: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = asked.get(name);
  if (text === null) return undefined;
  const number = /^-?\d+$/.test(text) ? Number(text) : undefined;
  if (number === undefined) throw unreadable(name, "must be integer");
  if (number < least) throw unreadable(name, `must be >= ${least}`);
  if (number > most) throw unreadable(name, `must be <= ${most}`);
  return number;
}

function readChoice<Choice extends string>(asked: URLSearchParams, name: string, choices: readonly Choice[]): Choice | undefined {
  const text = asked.get(name);
  if (text === null) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice === undefined) throw unreadable(name, "must be equal to one of the allowed values");
  return choice;
}

function unreadable(name: string, reason: string): StorageError {
  return invalidRequest(`querystring/${name} ${reason}`);
}
