import { createServer, type RequestListener, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";

/** What the transport knows of a request and the request does not say. */
export interface Connection {
  /** The client's network address, taken from X-Forwarded-For only as far as proxies are trusted. */
  clientAddress: string;
}

export interface ListenOptions {
  host: string;
  port: number;
  /** How many proxies in front are believed. */
  trustProxy: number;
  log: Logger;
  /** Sees a request first, as a development server must; it calls `next` for what is not its own. */
  before?: (next: () => void, ...request: Parameters<RequestListener>) => void;
}

export type Handler = (request: Request, connection: Connection) => Promise<Response>;

/** A port taken; until `serve` is called every request is answered with 503. */
export interface Listener {
  /** The port, also where the system chose it. */
  port: number;
  serve(handler: Handler): void;
  /** Lets running requests end within a second. */
  close(): Promise<void>;
}

/** A port that cannot be listened on; the message says why in one line. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const LONGEST_REQUEST_MS = 60_000;

/**
 * Takes a port and answers HTTP on it, one log line a request. A process takes its port before it opens anything else,
 * so that a second one started by mistake does nothing. Fails with a `ListenError`.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, log, before } = options;
  let handler: Handler = starting;
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
    const next = (): void => void answer(incoming, outgoing);
    if (before) before(next, incoming, outgoing);
    else next();
  };
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS }, listener);
  await opened(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    serve(ready) {
      handler = ready;
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
  const id = crypto.randomUUID();
  const response = await handler(request, connection);
  // The path without its query, and without ids: a log line must not say who was looked at.
  const route = new URL(request.url).pathname.replace(UUID, ":id");
  const ms = Math.round((performance.now() - started) * 10) / 10;
  log[response.status >= 500 ? "error" : "info"]({ id, method: request.method, route, status: response.status, ms }, "request");
  return response;
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
