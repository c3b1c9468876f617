import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The requests to send to the proxy, as an argument of the load generator. */
export interface LoadOptions {
  port: number;
  /** The publishable key. */
  key: string;
  /** The certificate of the proxy. */
  ca: string;
  seconds: number;
  /** Requests of pages and rows. */
  readsPerSecond: number;
  /** Page views; each is acknowledged after its commit. */
  writesPerSecond: number;
}

/** Requests of one kind. A response with a status from 400 on, and a request without one, have failed. */
export interface Tally {
  sent: number;
  succeeded: number;
  /** The number of failed requests by status or error. */
  failed: Record<string, number>;
}

export interface LoadResult {
  reads: Tally;
  writes: Tally;
}

/** Sends requests from a process of its own for some seconds. */
export async function driveLoad(options: LoadOptions): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "load-process.ts"), JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const result: LoadResult = JSON.parse(await text(child.stdout));
  return result;
}

/** Prints the figures of a load. */
export function printLoad(what: string, { reads, writes }: LoadResult): void {
  const words = ({ sent, succeeded, failed }: LoadResult["reads"]): string =>
    `${succeeded} of ${sent} succeeded${succeeded === sent ? "" : ` (${JSON.stringify(failed)})`}`;
  process.stdout.write(`${what}: reads ${words(reads)}; writes ${words(writes)}\n`);
}
