import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Connection } from "backend";
import type { Logger } from "pino";
import type { CachedResponse } from "site/app/server/page-cache.server.ts";
import { limitTime, LONGEST_REQUEST_MS, LONGEST_UPLOAD_MS, type RequestTimes } from "./request-time.ts";

export interface ListenOptions {
  host: string;
  port: number;
  /** The number of trusted proxies in front of the server. */
  trustProxy: number;
  log: Logger;
  /** Time limits for receiving a request, for tests. */
  times?: RequestTimes;
  /** Receives a request first, for the development server; it calls `next` for other requests. */
  before?: (next: () => void, ...request: Parameters<RequestListener>) => void;
}

export type Handler = (request: Request, connection: Connection) => Promise<Response>;

/** Finds the cached response to a request, before a `Request` is made for the handler. */
export type FindCached = (incoming: IncomingMessage) => CachedResponse | undefined;

/** A server on its port; until `serve` is called it responds to every request with 503. */
export interface Listener {
  /** The port, also if the system chose it. */
  port: number;
  serve(handler: Handler, findCached?: FindCached): void;
  /** Closes the server; running requests have a second to end. */
  close(): Promise<void>;
}

/** The server cannot listen on its port; the message is one line with the reason. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Listens on a port and serves HTTP, with one log line per request. A process listens before it opens anything else,
 * so that a second process started by mistake does nothing. Fails with a `ListenError`.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, log, before } = options;
  let handler: Handler = starting;
  let findCached: FindCached | undefined;
  const answer = getRequestListener(
    (request, bindings) =>
      serve(request, { clientAddress: clientAddress(request, bindings.incoming.socket.remoteAddress, options.trustProxy) }, handler, log),
    {
      overrideGlobalObjects: false,
      hostname: host,
      errorHandler: (error) => {
        log.error({ err: error }, "request failed");
        return new Response("Internal Server Error", { status: 500 });
      },
    },
  );
  const listener: RequestListener = (incoming, outgoing) => {
    const next = (): void => {
      const cached = findCached?.(incoming);
      if (!cached) {
        limitTime(incoming, options.times);
        return void answer(incoming, outgoing);
      }
      const started = performance.now();
      outgoing.writeHead(cached.status, cached.headers).end(cached.body);
      logRequest(log, started, incoming.method, incoming.url ?? "/", cached.status);
    };
    if (before) before(next, incoming, outgoing);
    else next();
  };
  const server = createServer({ headersTimeout: LONGEST_REQUEST_MS, requestTimeout: LONGEST_UPLOAD_MS }, listener);
  await opened(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    serve(newHandler, newFindCached) {
      handler = newHandler;
      findCached = newFindCached;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Keep-alive connections must not hold up a stop.
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}

function starting(): Promise<Response> {
  return Promise.resolve(new Response("Starting", { status: 503, headers: { "Retry-After": "1" } }));
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "is already in use" : `cannot be used (${error.code ?? error.message})`;
      reject(new ListenError(`Port ${port} on ${host} ${reason}; set PORT to another one.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

async function serve(request: Request, connection: Connection, handler: Handler, log: Logger): Promise<Response> {
  const started = performance.now();
  const response = await handler(request, connection);
  logRequest(log, started, request.method, request.url, response.status);
  return response;
}

/** `url` may be absolute or start with the path. */
function logRequest(log: Logger, started: number, method: string | undefined, url: string, status: number): void {
  const level = status >= 500 ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  // Without query and ids, which may identify a person.
  const route = url.replace(/^https?:\/\/[^/]*|\?.*/gs, "").replace(UUID, ":id");
  const ms = Math.round((performance.now() - started) * 10) / 10;
  log[level]({ id: crypto.randomUUID(), method, route, status, ms }, "request");
}

/** With `trusted` proxies, the client is the entry that the outermost of them appended to X-Forwarded-For. */
function clientAddress(request: Request, directAddress = "unknown", trusted: number): string {
  if (trusted === 0) return directAddress;
  const forwarded = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return forwarded.at(-trusted) ?? directAddress;
}
