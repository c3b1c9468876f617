import { DAY_MS } from "site/app/time/durations.ts";

const DAILY = 7;
const WEEKLY = 4;
const NAME = /^larkfell-(\d{4}-\d{2}-\d{2})\.tar$/;
const FAILED = /^larkfell-\d{4}-\d{2}-\d{2}\.failed\.tar$/;

/** The file name of the nightly backup of a day such as `2026-11-23`. */
export function nameOfBackup(day: string): string {
  return `larkfell-${day}.tar`;
}

/** True for the file name of a nightly backup. */
export function isNightlyBackup(name: string): boolean {
  return NAME.test(name);
}

/** The location of a nightly backup that failed its check: it does not count as a backup of its day. */
export function failedLocation(location: string): string {
  return location.replace(/\.tar$/, ".failed.tar");
}

/**
 * Selects the nightly backups to remove after one was checked: all but the seven newest and, of the older ones, the newest of each of four
 * weeks; and all that failed their check. Other files are ignored.
 */
export function expiredBackups(names: readonly string[]): string[] {
  const older = names.filter(isNightlyBackup).toSorted().toReversed().slice(DAILY);
  const newestOfWeek = Map.groupBy(older, weekOf)
    .values()
    .map(([newest]) => newest)
    .take(WEEKLY);
  const kept = new Set(newestOfWeek);
  return [...older.filter((name) => !kept.has(name)), ...names.filter((name) => FAILED.test(name))];
}

/** The number of the week, from Monday to Sunday, of a backup. */
function weekOf(name: string): number {
  const days = Date.parse(NAME.exec(name)?.[1] ?? "") / DAY_MS;
  // The first of January 1970 was a Thursday.
  return Math.floor((days + 3) / 7);
}
