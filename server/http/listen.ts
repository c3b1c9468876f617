import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Connection, clientNetwork, logRoute, type WebSockets } from "backend";
import type { Logger } from "pino";
import type { CachedResponse } from "site/app/server/page-cache.server.ts";
import { boundConnections } from "./connections.ts";
import { type Check, createHealth } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { type IncomingBody, limitBodies, LONGEST_REQUEST_MS, LONGEST_UPLOAD_MS } from "./request-time.ts";

export interface ListenOptions {
  host: string;
  port: number;
  /** The number of trusted proxies in front of the server. */
  trustProxy: number;
  log: Logger;
  metrics?: Metrics | undefined;
  /** Refuses connections until `open` is called, so that a proxy sends the requests of a start to another server. */
  late?: boolean;
  /** Time limit for a whole body, and for a connection on which nothing moves; for tests. */
  patienceMs?: number;
  /** The number of open connections from which idle ones are closed; for tests. */
  maxConnections?: number;
  /** The number of open connections of one client address; for tests. */
  maxConnectionsOfOne?: number;
  /** Receives a request first, for the development server; it calls `next` for other requests. */
  before?: (next: () => void, ...request: Parameters<RequestListener>) => void;
}

const DRAIN_MS = 5000;
/** The path of the only WebSocket endpoint; clients may send it without a query. */
const WEB_SOCKET = /^\/realtime\/v1\/websocket(?:\?|$)/;
/**
 * The number of connections that may wait to be accepted; the system lowers it to its own limit, 4096 on Linux. With Node's 511, a burst
 * of connections makes other visitors wait a second and more until their client tries again.
 */
const BACKLOG = 4096;

export type Handler = (request: Request, connection: Connection) => Promise<Response>;

/** Finds the cached response to a request, before a `Request` is made for the handler. */
export type FindCached = (incoming: IncomingMessage) => CachedResponse | undefined;

/** A server on its port; until `serve` is called it responds to every request with 503. */
export interface Listener {
  /** The port, also if the system chose it. */
  port: number;
  /** Listens, if it does not yet. Fails with a `ListenError`. */
  open(): Promise<void>;
  serve(handler: Handler, findCached?: FindCached, webSockets?: WebSockets, checks?: readonly Check[]): void;
  /** Makes `/health/ready` fail and ends each connection after its next response, so that proxies use other servers. */
  drain(): void;
  /** Closes the server and its WebSockets, whose clients connect again; running requests have five seconds to end. */
  close(): Promise<void>;
}

/** The server cannot listen on its port; the message is one line with the reason. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

// `Request` refuses these methods.
const REFUSED_METHODS: ReadonlySet<string | undefined> = new Set(["TRACE", "TRACK", "CONNECT"]);

/**
 * Listens on a port and serves HTTP, with one log line per request. A process listens before it opens anything else,
 * so that a second process started by mistake does nothing, unless it listens late. Fails with a `ListenError`.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, trustProxy, log, metrics, before, late = false, patienceMs = LONGEST_REQUEST_MS } = options;
  let handler: Handler = starting;
  let findCached: FindCached | undefined;
  let webSockets: WebSockets | undefined;
  // Its lines have no field that is redacted, and looking for one costs more than the rest of the line.
  const requestLog = log.child({}, { redact: [] });
  const health = createHealth(log);
  const bodies = new WeakMap<object, IncomingBody>();
  const routeHandlers = new WeakMap<object, NonNullable<Connection["onRoute"]>>();
  const receive = limitBodies(patienceMs);
  const answer = getRequestListener(
    (request, { incoming }) => {
      const allowLongBody = bodies.get(incoming)?.allowLong;
      const connection = { clientAddress: clientAddress(incoming, trustProxy), allowLongBody, onRoute: routeHandlers.get(incoming) };
      return serve(request, connection, handler, requestLog);
    },
    {
      overrideGlobalObjects: false,
      hostname: host,
      errorHandler: (error) => {
        if (error instanceof RequestError) {
          log.debug({ reason: error.message }, "request refused");
          return new Response("Bad Request", { status: 400 });
        }
        log.error({ err: error }, "request failed");
        return new Response("Internal Server Error", { status: 500 });
      },
    },
  );
  const respond: RequestListener = (incoming, outgoing) => {
    const next = (): void => {
      if (health.answer(incoming, outgoing) || metrics?.answer(incoming, outgoing) === true) return;
      if (metrics) routeHandlers.set(incoming, metrics.measure(incoming, outgoing));
      const cached = findCached?.(incoming);
      if (!cached) {
        if (REFUSED_METHODS.has(incoming.method)) return refuse(outgoing, 400);
        const body = receive(incoming, clientNetwork(clientAddress(incoming, trustProxy)));
        if (!body) return refuse(outgoing, 503);
        bodies.set(incoming, body);
        return void answer(incoming, outgoing);
      }
      metrics?.countCached();
      const started = performance.now();
      outgoing.writeHead(cached.status, cached.headers).end(cached.body);
      logRequest(requestLog, started, incoming.method, incoming.url ?? "/", cached.status);
    };
    if (before) before(next, incoming, outgoing);
    else next();
  };
  const server = createServer({
    headersTimeout: LONGEST_REQUEST_MS,
    requestTimeout: LONGEST_UPLOAD_MS,
    // Other requests with an Upgrade header, such as one for HTTP/2, are answered as if they had none.
    shouldUpgradeCallback: ({ method, url = "" }) => method === "GET" && WEB_SOCKET.test(url),
  });
  // Ends a connection on which nothing moves: a client that does not read its response, or an upload that stopped.
  server.setTimeout(patienceMs);
  const connections = boundConnections(server, {
    maxConnections: options.maxConnections,
    maxOfOne: trustProxy > 0 ? Infinity : options.maxConnectionsOfOne,
  });
  server.on("request", (incoming, outgoing) => connections.inTurn(incoming, outgoing, () => respond(incoming, outgoing)));
  server.on("upgrade", (incoming, socket: Socket, head) => {
    // It is no longer one of the connections that close when they are idle; the endpoint has limits of its own.
    connections.release(socket);
    metrics?.countSocket(socket);
    const connection = { clientAddress: clientAddress(incoming, trustProxy) };
    if (webSockets) webSockets.accept(incoming, socket, head, connection);
    else socket.destroy();
  });
  if (!late) await opened(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async open() {
      if (!server.listening) await opened(server, host, port);
    },
    serve(newHandler, newFindCached, newWebSockets, checks = []) {
      handler = newHandler;
      findCached = newFindCached;
      webSockets = newWebSockets;
      health.ready(checks);
    },
    drain() {
      health.drain();
      connections.endSoon();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        connections.drain();
        webSockets?.drain();
        setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
      }),
  };
}

const STARTING_PAGE = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2">
<title>Starting</title>
<p>The website is starting. This page reloads by itself.</p>
</html>
`;

/** Browsers get a page that reloads itself. */
function starting(request: Request): Promise<Response> {
  const isPage = request.method === "GET" && request.headers.get("accept")?.includes("text/html") === true;
  const headers = {
    "Retry-After": "1",
    "Cache-Control": "no-store",
    "Content-Type": isPage ? "text/html; charset=utf-8" : "text/plain",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
  };
  return Promise.resolve(new Response(isPage ? STARTING_PAGE : "Starting", { status: 503, headers }));
}

function refuse(outgoing: ServerResponse, status: 400 | 503): void {
  outgoing.writeHead(status, { Connection: "close", ...(status === 503 ? { "Retry-After": "5" } : {}) }).end();
}

function opened(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "is already in use" : `cannot be used (${error.code ?? error.message})`;
      reject(new ListenError(`Port ${port} on ${host} ${reason}; set PORT to another one.`, { cause: error }));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
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
  const route = logRoute(url);
  const ms = Math.round((performance.now() - started) * 10) / 10;
  log[level]({ method, route, status, ms }, "request");
}

/** With `trusted` proxies, the client is the entry that the outermost of them appended to X-Forwarded-For. */
function clientAddress({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">, trusted: number): string {
  const directAddress = socket.remoteAddress ?? "unknown";
  if (trusted === 0) return directAddress;
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
  return forwarded.at(-trusted) ?? directAddress;
}
