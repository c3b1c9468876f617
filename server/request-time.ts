import type { IncomingMessage } from "node:http";

/** Time limit for receiving a request, in ms. */
export const LONGEST_REQUEST_MS = 60_000;
/** Time limit for receiving an uploaded file, in ms. */
export const LONGEST_UPLOAD_MS = 3_600_000;

const UPLOAD = /^\/storage\/v1\/(?:object|upload)\//;

/** Time limits for tests. */
export interface RequestTimes {
  /** For a whole body, or for the next bytes of an uploaded file. */
  patienceMs?: number;
}

/** Ends a request whose body does not arrive in time; an uploaded file only has to keep arriving. */
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
