import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";

/** The requests to send, as an argument of the load generator. */
export interface LoadOptions {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  seconds?: number;
  connections?: number;
  /** Requests per second in all; without it as many as the server answers. */
  rate?: number;
  /** Sends each request from another client address, for a server that trusts one proxy. */
  manyClients?: boolean;
  /** Sends `{"refresh_token": …}` with one of these, and continues with the token of the response; twice as many as connections. */
  refreshTokens?: readonly string[];
}

export interface Load {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses other than 2xx, and failed connections. */
  failures: number;
}

/** Sends requests from a process of its own, so that the generator does not take time from a server in this one. */
export async function drive(options: LoadOptions): Promise<Load> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load-process.ts"), JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const result: Load = JSON.parse(await text(child.stdout));
  return result;
}

/** Requests `url` over 16 connections for some seconds, after a warm-up of one second. */
export async function load(url: string, options: { seconds?: number; headers?: Record<string, string> } = {}): Promise<Load> {
  await drive({ url, ...options, seconds: 1 });
  return drive({ url, ...options, seconds: options.seconds ?? 4 });
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** The median, with the lowest and the highest of the rounds. */
export function spread(numbers: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** Prints a measurement and its limit. */
export function report(what: string, measured: Load, limit: Load): void {
  const ratio = (measured.perSecond / limit.perSecond).toFixed(2);
  console.log(
    `  ${what}: ${ratio} of the limit (${Math.round(measured.perSecond)}/s against ${Math.round(limit.perSecond)}/s; failures ${measured.failures})`,
  );
}
