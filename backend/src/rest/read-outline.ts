import { filterOperator } from "./request/filter.ts";
import type { RawRequest } from "./request/request.ts";

/** A read's shape, and what it is filled with. */
export interface Outline {
  /** Everything that decides the SQL: two reads with one key differ in the values of their filters only. */
  key: string;
  /** What looks like a filter, by the place of its parameter: the key has its operator only. */
  filters: readonly { parameter: number; text: string }[];
}

const LONGEST_KEY = 2000;
const READ_HEADERS = ["accept", "accept-profile", "prefer", "range"];

/** All that a read is prepared from, as it came; null for a write, what is too long to remember and what says who asks. */
export function readText({ method, url, headers }: RawRequest): string | null {
  const { href } = url;
  if ((method !== "GET" && method !== "HEAD") || href.length > LONGEST_KEY || href.includes("apikey=")) return null;
  // No header has a line break in it.
  return [method, href, ...READ_HEADERS.map((name) => headers.get(name))].join("\n");
}

/** Tells a read's shape from its values; null for a write, and for what is too long to remember. */
export function outlineRead({ method, url, headers }: RawRequest): Outline | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const filters: { parameter: number; text: string }[] = [];
  const parts = [method, url.pathname, ...READ_HEADERS.map((name) => headers.get(name))];
  let parameter = 0;
  for (const [name, text] of url.searchParams) {
    const operator = filterOperator(text);
    if (operator !== null) filters.push({ parameter, text });
    // The gateway's parameter says who asks and nothing of what.
    if (name !== "apikey") parts.push(name, operator ?? `=${text}`);
    parameter += 1;
  }
  const key = JSON.stringify(parts);
  return key.length > LONGEST_KEY ? null : { key, filters };
}
