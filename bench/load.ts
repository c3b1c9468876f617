import autocannon from "autocannon";

export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Responses other than 2xx, and failed connections. */
  failures: number;
}

/** Requests `url` over 16 connections for some seconds, after a warm-up of one second. */
export async function load(url: string, options: { seconds?: number; headers?: Record<string, string> } = {}): Promise<Load> {
  const { seconds = 4, headers = {} } = options;
  await autocannon({ url, headers, connections: 16, duration: 1 });
  const { requests, latency, non2xx, errors } = await autocannon({ url, headers, connections: 16, duration: seconds });
  return { perSecond: requests.average, p99: latency.p99, failures: non2xx + errors };
}

/** The median. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints a measurement and its limit. */
export function report(what: string, measured: Load, limit: Load): void {
  const ratio = (measured.perSecond / limit.perSecond).toFixed(2);
  console.log(
    `  ${what}: ${ratio} of the limit (${Math.round(measured.perSecond)}/s against ${Math.round(limit.perSecond)}/s; failures ${measured.failures})`,
  );
}
