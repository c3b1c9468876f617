import { z } from "zod";

const which = z.enum(["exclude", "include", "only"]).default("exclude");

/** What a listing can ask about versions that have been replaced or removed; none of them is kept here. */
export const olderVersions = { noncurrentVersions: which, deleteMarkers: which };

/** Whether a listing asks for nothing but what there never is. */
export function asksForOlderOnly(asked: { noncurrentVersions: string; deleteMarkers: string }): boolean {
  return asked.noncurrentVersions === "only" || asked.deleteMarkers === "only";
}
