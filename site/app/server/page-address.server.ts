import type { PublicRoute } from "content/pages.ts";

export type PageQuery = NonNullable<PublicRoute["query"]>;

/**
 * The address of the page that a path and query show: the query is reduced to what the page reads, so that links with tracking
 * parameters share one cached page.
 */
export function pageAddress(pathAndQuery: string, query: PageQuery = {}): string {
  const start = pathAndQuery.indexOf("?");
  if (start === -1) return pathAndQuery;
  const path = pathAndQuery.slice(0, start);
  const names = Object.keys(query);
  if (names.length === 0) return path;
  const given = new URLSearchParams(pathAndQuery.slice(start));
  const read = new URLSearchParams();
  for (const name of names) {
    const value = given.get(name);
    if (value !== null && query[name]?.includes(value)) read.set(name, value);
  }
  return read.size === 0 ? path : `${path}?${read}`;
}
