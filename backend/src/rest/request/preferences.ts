import { listNames, RestError } from "../errors.ts";

export type Count = "exact" | "planned" | "estimated";

/** The preferences in the `Prefer` header; null if absent. */
export interface Preferences {
  resolution: "merge-duplicates" | "ignore-duplicates" | null;
  missing: "default" | "null" | null;
  representation: "representation" | "minimal" | "headers-only" | null;
  count: Count | null;
  transaction: "commit" | "rollback" | null;
  handling: "strict" | "lenient" | null;
  maxAffected: number | null;
  /** The time zone for timestamps in the response. */
  timezone: string | null;
}

const KNOWN = {
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
  return: ["representation", "minimal", "headers-only"],
  count: ["exact", "planned", "estimated"],
  tx: ["commit", "rollback"],
  handling: ["strict", "lenient"],
} as const;

const MAX_AFFECTED = /^max-affected=(\d{1,9})$/;
// Offsets are not accepted: Postgres reads their sign the other way round.
const TIMEZONE = /^timezone=([A-Za-z][\w+/-]*)$/;

/** Parses `Prefer` (RFC 7240); the first of each kind counts. Unknown preferences fail with PGRST122 under `handling=strict`. */
export function parsePreferences(header: string | null): Preferences {
  const given = (header ?? "").split(",").map((part) => part.trim());
  const chosen = <K extends keyof typeof KNOWN>(key: K): (typeof KNOWN)[K][number] | null => {
    for (const part of given) {
      const found = KNOWN[key].find((value) => part === `${key}=${value}`);
      if (found) return found;
    }
    return null;
  };
  const limit = given.map((part) => MAX_AFFECTED.exec(part)?.[1]).find((digits) => digits !== undefined);
  const preferences: Preferences = {
    resolution: chosen("resolution"),
    missing: chosen("missing"),
    representation: chosen("return"),
    count: chosen("count"),
    transaction: chosen("tx"),
    handling: chosen("handling"),
    maxAffected: limit === undefined ? null : Number(limit),
    timezone: readTimezone(given.find(isTimezone)),
  };
  if (preferences.handling === "strict") refuseUnknown(given, preferences.timezone);
  return preferences;
}

/** Writes the applied preferences for `Preference-Applied`; null if there are none. */
export function formatApplied(applied: Partial<Preferences>): string | null {
  const parts = [
    applied.resolution && `resolution=${applied.resolution}`,
    applied.missing && `missing=${applied.missing}`,
    applied.representation && `return=${applied.representation}`,
    applied.count && `count=${applied.count}`,
    applied.transaction && `tx=${applied.transaction}`,
    applied.timezone && `timezone=${applied.timezone}`,
    applied.handling && `handling=${applied.handling}`,
    applied.maxAffected != null && `max-affected=${applied.maxAffected}`,
  ].filter((part) => typeof part === "string");
  return parts.length === 0 ? null : parts.join(", ");
}

function refuseUnknown(given: readonly string[], timezone: string | null): void {
  const known = new Set(Object.entries(KNOWN).flatMap(([key, values]) => values.map((value) => `${key}=${value}`)));
  const isKnown = (part: string): boolean => known.has(part) || MAX_AFFECTED.test(part) || (timezone !== null && isTimezone(part));
  const unknown = given.filter((part) => part !== "" && !isKnown(part));
  if (unknown.length === 0) return;
  throw new RestError(400, "PGRST122", "Invalid preferences given with handling=strict", {
    details: `Invalid preferences: ${listNames(unknown)}`,
  });
}

function isTimezone(part: string): boolean {
  return part.startsWith("timezone=");
}

// Only the first one is checked, because each name takes time.
function readTimezone(part = ""): string | null {
  const name = TIMEZONE.exec(part)?.[1];
  if (name === undefined) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone && name;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
