import type { StoredObject } from "./stored-object.ts";

/** True if the client has the current version (RFC 9110, section 13.2.2; `If-None-Match` takes precedence). */
export function isUnchanged(headers: Headers, { eTag, lastModified }: StoredObject): boolean {
  const known = headers.get("if-none-match");
  if (known !== null) return known.split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(eTag));
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return wholeSeconds(lastModified.getTime()) <= since;
}

/** False if `If-Range` names another version, so that the whole object is sent (RFC 9110, section 13.1.5). */
export function isRangeWanted(headers: Headers, { eTag, lastModified }: StoredObject): boolean {
  const condition = headers.get("if-range");
  if (condition === null) return true;
  return condition.startsWith('"') ? condition === eTag : wholeSeconds(lastModified.getTime()) === Date.parse(condition);
}

function bare(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** HTTP dates have no milliseconds. */
function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
