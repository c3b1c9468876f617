import type { IncomingMessage } from "node:http";

/** How long a request may take to arrive, in ms. */
export const LONGEST_REQUEST_MS = 60_000;
/** How long a file may take to arrive, as slow as its sender's line may be. */
export const LONGEST_UPLOAD_MS = 3_600_000;

const UPLOAD = /^\/storage\/v1\/(?:object|upload)\//;

/** The times a request has; others than the product's for tests. */
export interface RequestTimes {
  /** For all of its body, and for a file to go on coming. */
  patienceMs?: number;
}

/** Ends a request whose body does not arrive in time; a file has as long as it takes, as long as some of it comes. */
export function limitTime(incoming: IncomingMessage, { patienceMs = LONGEST_REQUEST_MS }: RequestTimes = {}): void {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if ((length === undefined || length === "0") && encoding === undefined) return;
  const stop = (): void => void incoming.destroy();
  if (UPLOAD.test(incoming.url ?? "")) {
    incoming.setTimeout(patienceMs, stop);
    incoming.once("end", () => incoming.setTimeout(0));
  } else {
    const timer = setTimeout(stop, patienceMs).unref();
    incoming.once("close", () => clearTimeout(timer));
    incoming.once("end", () => clearTimeout(timer));
  }
}
