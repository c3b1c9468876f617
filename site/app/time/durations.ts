/** A day of 24 hours. */
export const DAY_MS = 86_400_000;

/** The instant `days` times 24 hours before another, which is in milliseconds, as ISO text. */
export function daysBefore(instant: number, days: number): string {
  return new Date(instant - days * DAY_MS).toISOString();
}
