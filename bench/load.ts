import autocannon from "autocannon";

export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Answers that were not 2xx, and connections that failed. */
  failures: number;
}

/** Asks for `url` from 16 connections for some seconds, after a second of warming up. */
export async function load(url: string, options: { seconds?: number; headers?: Record<string, string> } = {}): Promise<Load> {
  const { seconds = 4, headers = {} } = options;
  await autocannon({ url, headers, connections: 16, duration: 1 });
  const { requests, latency, non2xx, errors } = await autocannon({ url, headers, connections: 16, duration: seconds });
  return { perSecond: requests.average, p99: latency.p99, failures: non2xx + errors };
}

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints one measurement beside its limit. */
export function report(what: string, measured: Load, limit: Load): void {
  const ratio = (measured.perSecond / limit.perSecond).toFixed(2);
  console.log(
    `  ${what}: ${ratio} of the limit (${Math.round(measured.perSecond)}/s against ${Math.round(limit.perSecond)}/s; failures ${measured.failures})`,
  );
}
