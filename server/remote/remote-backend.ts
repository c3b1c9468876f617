import type { Backend } from "backend";
import type { RunningBackend } from "../start-backend.ts";
import { remoteWebSockets } from "./remote-web-sockets.ts";
import { adaptStorageHeaders, redirectToOriginal } from "./remote-storage.ts";

/** The part of a backend that the site uses. */
export type SiteBackend = Pick<Backend, "fetch" | "webSockets" | "onChange" | "jobs" | "claimJob" | "close"> &
  Pick<RunningBackend, "checks" | "figures"> &
  Partial<Pick<Backend, "databaseQueue" | "isCaughtUp" | "catchUp">>;

const TABLE = /^\/rest\/v1\/([a-z0-9_]+)$/;
const UPLOAD = /^\/storage\/v1\/(?:object|upload)\//;
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

/**
 * A backend reached over the network, hosted or our own: every call is forwarded, so that the browser
 * uses only the site's own origin. Writes that pass through are announced; others are found when pages expire.
 */
export function remoteBackend(url: string, publishableKey: string): SiteBackend {
  const handlers = new Set<(table: string | null) => void>();
  return {
    async fetch(request, connection) {
      const { pathname, search } = new URL(request.url);
      // The backend elsewhere checks the caller and ends the request of one that it refuses.
      if (UPLOAD.test(pathname) && request.headers.has("authorization")) connection?.allowLongBody?.();
      const headers = new Headers(request.headers);
      for (const name of ["host", "content-length", ...HOP_BY_HOP]) headers.delete(name);
      if (connection) headers.set("X-Forwarded-For", connection.clientAddress);
      const answer = await fetch(new URL(pathname + search, url), {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        signal: request.signal,
        ...(request.body ? { duplex: "half" } : {}),
      });
      const table = TABLE.exec(pathname)?.[1];
      if (table !== undefined && answer.ok && !["GET", "HEAD", "OPTIONS"].includes(request.method)) {
        for (const handler of handlers) handler(`public.${table}`);
      }
      return (await redirectToOriginal(pathname, answer)) ?? forwardable(pathname, answer);
    },
    onChange(handler) {
      handlers.add(handler);
      return Promise.resolve(() => Promise.resolve(void handlers.delete(handler)));
    },
    webSockets: remoteWebSockets(url),
    jobs: [],
    checks: [
      {
        name: "backend",
        otherwise: "fail",
        run: async () => ((await fetch(new URL("/auth/v1/health", url), { headers: { apikey: publishableKey } })).ok ? "pass" : "fail"),
      },
    ],
    figures: () => Promise.resolve(undefined),
    claimJob: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}

/** Removes the headers about compression: `fetch` has decompressed the body. */
function forwardable(pathname: string, answer: Response): Response {
  const headers = new Headers(answer.headers);
  const isCompressed = headers.has("content-encoding");
  for (const name of isCompressed ? ["content-encoding", "content-length", ...HOP_BY_HOP] : HOP_BY_HOP) headers.delete(name);
  adaptStorageHeaders(pathname, headers);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
