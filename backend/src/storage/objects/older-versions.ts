import { z } from "zod";

const which = z.enum(["exclude", "include", "only"]).default("exclude");

/** Parameters of a listing about replaced and removed versions, of which none is stored. */
export const olderVersions = { noncurrentVersions: which, deleteMarkers: which };

/** True if only non-current versions were requested; none is stored. */
export function asksForOlderOnly(requested: { noncurrentVersions: string; deleteMarkers: string }): boolean {
  return requested.noncurrentVersions === "only" || requested.deleteMarkers === "only";
}
