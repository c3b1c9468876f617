import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The result of one round: a line of the table. */
export interface Result {
  ok: boolean;
  /** The reason why the round did not run on this machine. */
  skipped?: string;
  /** Figures of the table: counts, milliseconds, megabytes. */
  figures: Record<string, number | string>;
}

/** The options of a run. */
export interface Options {
  /** The seed of generated requests. */
  seed: number;
  /** The number of one generated request, to repeat only that. */
  request: number | undefined;
  /** The rate of generated requests. */
  perSecond: number;
  /** True if power cuts ignore each fsync; the round must then fail. */
  ignoresFsync: boolean;
}

/** Runs one round for about this many seconds. */
export type Round = (seconds: number, options: Options) => Promise<Result>;

/** Creates a directory that is removed after the round. */
export async function roundDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "larkfell-torture-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Returns the value that `share` (0 to 1) of the numbers do not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1] ?? Number.NaN);
}
