import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { z } from "zod";

/** The metrics of a process, in the text format of Prometheus. */
export interface Metrics {
  /** Measures a response from now until it is sent; an API may call the returned function with its route. */
  measure(incoming: IncomingMessage, outgoing: ServerResponse): (route: string) => void;
  /** Counts a WebSocket until it is closed. */
  countSocket(socket: Socket): void;
  /** Counts a response from the page cache. */
  countCached(): void;
  /** Sets the backend whose figures are read, and the function that names the routes of the site. */
  readFrom(backend: MeasuredBackend, routeOf?: RouteOf): void;
  /** Answers `/metrics`: 401 without the key; false for other requests. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

/** Names the route of a path, from a fixed set. */
type RouteOf = (pathname: string) => string;

interface MeasuredBackend {
  /** Reads the figures of the project; undefined if it has none. */
  figures(): Promise<unknown>;
  /** The number of transactions that wait for a connection; absent if the database belongs to another process. */
  databaseQueue?(): number;
}

const API = /^\/(auth|rest|storage|functions|realtime|operations)\/v1\//;
const LONGEST_READ_MS = 1500;
// A project may have no figures.
const figuresSchema = z.object({ mails_waiting: z.number(), bookings: z.number(), backup_age_seconds: z.number().nullable() }).optional();

/** Makes the metrics of a process. A client sends the key as `Authorization: Bearer …`. */
export function createMetrics(key: string, log: Logger): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: "larkfell_requests_total",
    help: "Responses by part of the product, route and status; aborted if the client left first.",
    labelNames: ["part", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "larkfell_request_duration_seconds",
    help: "Time from a request to the end of its response.",
    labelNames: ["part"],
    registers,
  });
  const cached = new Counter({ name: "larkfell_page_cache_hits_total", help: "Responses from the page cache.", registers });
  const queue = new Gauge({ name: "larkfell_database_queue", help: "Transactions that wait for a connection to the database.", registers });
  const sockets = new Gauge({ name: "larkfell_websockets", help: "Open WebSockets.", registers });
  const mails = new Gauge({ name: "larkfell_mails_waiting", help: "Mails that are due and not sent.", registers });
  const bookings = new Gauge({ name: "larkfell_bookings", help: "Bookings that are not cancelled.", registers });
  const backupAge = new Gauge({
    name: "larkfell_backup_age_seconds",
    help: "Time since a backup was last checked without a fault; missing if none was.",
    registers,
  });
  let backend: MeasuredBackend | undefined;
  let routeOf: RouteOf | undefined;

  async function updateFigures(): Promise<void> {
    for (const gauge of [queue, mails, bookings, backupAge]) gauge.remove();
    const waiting = backend?.databaseQueue?.();
    if (waiting !== undefined) queue.set(waiting);
    try {
      const figures = figuresSchema.parse(await Promise.race([backend?.figures(), delay(LONGEST_READ_MS, undefined, { ref: false })]));
      if (!figures) return;
      mails.set(figures.mails_waiting);
      bookings.set(figures.bookings);
      if (figures.backup_age_seconds !== null) backupAge.set(figures.backup_age_seconds);
    } catch (error) {
      log.warn({ err: error }, "the figures of the database cannot be read");
    }
  }

  async function respond(outgoing: ServerResponse): Promise<void> {
    await updateFigures();
    const headers = { "Content-Type": register.contentType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
    outgoing.writeHead(200, headers).end(await register.metrics());
  }

  return {
    measure({ url = "" }, outgoing) {
      const part = API.exec(url)?.[1] ?? "site";
      const stop = durations.startTimer({ part });
      let route: string | undefined;
      outgoing.once("close", () => {
        stop();
        // The paths that clients request are no labels, because their number is unbounded.
        route ??= (part === "site" ? routeOf?.(url.split("?", 1)[0] ?? "") : undefined) ?? "other";
        requests.inc({ part, route, status: outgoing.writableFinished ? outgoing.statusCode : "aborted" });
      });
      return (named) => void (route = named);
    },
    countSocket(socket) {
      sockets.inc();
      socket.once("close", () => sockets.dec());
    },
    countCached: () => cached.inc(),
    readFrom(newBackend, newRouteOf) {
      backend = newBackend;
      routeOf = newRouteOf;
    },
    answer({ url, method, headers }, outgoing) {
      if (url !== "/metrics" || method !== "GET") return false;
      if (isEqual(headers.authorization ?? "", `Bearer ${key}`)) void respond(outgoing);
      else outgoing.writeHead(401, { "WWW-Authenticate": "Bearer", "Cache-Control": "no-store" }).end();
      return true;
    },
  };
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
