import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { clientNetwork } from "../client-network.ts";
import type { Connection } from "../connection.ts";
import { DatabaseError } from "../db/database.ts";
import { RealtimeError, RETRY_AFTER_S } from "./errors.ts";
import { now } from "./moment.ts";
import type { Version } from "./protocol/frame.ts";
import { findEndedSessions } from "./sessions.ts";
import type { Services } from "./services.ts";
import { CLOSE, openSocket, type ClientSocket } from "./socket.ts";
import { createPause } from "./slice.ts";
import { JOIN_UNITS } from "./throttle.ts";
import { sessionEnded, type Token } from "./token.ts";

const SWEEP_MS = 1000;
/** The longest time that a channel outlives its session. */
const SESSION_CHECK_MS = 10_000;
/** The time in which clients answer that the server closes; the others are cut off. */
const LONGEST_CLOSE_MS = 2000;

/** Accepts and closes WebSockets. */
export interface Sockets {
  /** Answers an upgrade request of HTTP: with a WebSocket, or with the status of a refusal. */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, connection: Connection): Promise<void>;
  readonly open: ReadonlySet<ClientSocket>;
  /** True if one more client may have channels; for a signed-in one, an anonymous one is disconnected if there are too many. */
  hasPlace(isSignedIn: boolean): boolean;
  /** Makes all clients connect again, and accepts no more of them. */
  drain(): void;
}

/** Creates the WebSocket endpoint. */
export function createSockets(services: Services): Sockets {
  const { limits, log } = services;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: services.maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const open = new Set<ClientSocket>();
  const perNetwork = new Map<string, number>();
  /** Clients that were disconnected and whose sockets have not closed yet. */
  const evicted = new WeakSet<ClientSocket>();
  /** Sockets may wait for their first channel while every user has one. */
  const maxOpen = limits.max_concurrent_users + Math.max(1, Math.floor(limits.max_concurrent_users / 10));
  let isDraining = false;
  let checkedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    const moment = now();
    const pauseAfterSlice = createPause();
    for (const socket of open) {
      socket.sweep(moment);
      await pauseAfterSlice();
    }
    if (moment.ms - checkedAt < SESSION_CHECK_MS) return;
    checkedAt = moment.ms;
    endSessions().catch((error: unknown) => log.warn({ err: error }, "sessions of realtime channels cannot be checked"));
  }

  /** Closes the channels of users who have signed out. */
  async function endSessions(): Promise<void> {
    const channels = open
      .values()
      .flatMap((socket) => socket.channels.values())
      .toArray();
    const ids = new Set(channels.flatMap(({ token }) => token.sessionId ?? []));
    const ended = await findEndedSessions(services.database, ids);
    for (const channel of channels) if (ended.has(channel.token.sessionId ?? "")) channel.fail(sessionEnded());
  }

  function enter(network: string): () => void {
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
    return () => {
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left === 0) perNetwork.delete(network);
      else perNetwork.set(network, left);
    };
  }

  /** Closes the socket that has had no channel for the longest time; false if all have one. */
  function makeRoom(): boolean {
    const empty = open.values().filter(({ emptySince }) => emptySince !== undefined);
    const oldest = empty.reduce<ClientSocket | undefined>((a, b) => (a && (a.emptySince ?? 0) <= (b.emptySince ?? 0) ? a : b), undefined);
    oldest?.terminate();
    return oldest !== undefined;
  }

  /** Disconnects an anonymous client with channels, of the network that has most of them; false if there is none. */
  function evictAnonymous(): boolean {
    const anonymous = [...open].filter((socket) => socket.isAnonymous && socket.emptySince === undefined && !evicted.has(socket));
    const networks = [...Map.groupBy(anonymous, ({ network }) => network).values()];
    const [client] = networks.toSorted((one, other) => other.length - one.length)[0] ?? [];
    if (!client) return false;
    evicted.add(client);
    client.terminate();
    return true;
  }

  return {
    open,
    hasPlace(isSignedIn) {
      const users = [...open].filter((socket) => socket.emptySince === undefined && !evicted.has(socket)).length;
      return users < limits.max_concurrent_users || (isSignedIn && evictAnonymous());
    },
    async accept(incoming, socket, head, { clientAddress }) {
      const onError = (): void => void socket.destroy();
      socket.on("error", onError);
      const network = clientNetwork(clientAddress);
      if (isDraining) return refuse(socket, 503);
      const isFull = (perNetwork.get(network) ?? 0) >= limits.max_users_per_network;
      // Not by the work of other networks: the client may be a user who signs in when it joins.
      if (isFull || services.throttle.isInDebt(network)) return refuse(socket, 429);
      services.throttle.take(network, JOIN_UNITS);
      const leave = enter(network);
      socket.once("close", leave);
      const accepted = await check(incoming, services);
      if (typeof accepted === "number") return refuse(socket, accepted);
      if (open.size >= maxOpen && !makeRoom()) return refuse(socket, 503);
      if (isDraining || socket.destroyed) return refuse(socket, 503);
      socket.off("error", onError);
      server.handleUpgrade(incoming, socket, head, (ws) => {
        const client = openSocket(ws, { ...accepted, connection: socket, network }, services);
        open.add(client);
        timer ??= setInterval(() => void sweep(), SWEEP_MS).unref();
        ws.on("close", () => {
          open.delete(client);
          if (open.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        });
      });
    },
    drain() {
      isDraining = true;
      log.debug({ sockets: open.size }, "closing realtime sockets");
      for (const socket of open) socket.close(CLOSE.serviceRestart, "Service restart");
      setTimeout(() => {
        for (const socket of open) socket.terminate();
      }, LONGEST_CLOSE_MS).unref();
    },
  };
}

/** Reads an upgrade request; a status if it is refused. */
async function check(
  incoming: IncomingMessage,
  { readToken, limits, log }: Services,
): Promise<{ version: Version; token: Token } | number> {
  const { headers } = incoming;
  const { searchParams } = new URL(incoming.url ?? "/", "ws://localhost");
  const version = searchParams.get("vsn") ?? "1.0.0";
  if (version !== "1.0.0" && version !== "2.0.0") return 403;
  if (!isAllowed(headers.origin, limits.allowed_origins)) return 403;
  const given = headers["x-api-key"] ?? headers["apikey"] ?? searchParams.get("apikey");
  if (typeof given !== "string") return 403;
  try {
    return { version, token: await readToken(given) };
  } catch (error) {
    if (error instanceof RealtimeError) return 403;
    if (error instanceof DatabaseError && error.isOutage) return 503;
    log.error({ err: error }, "realtime upgrade failed");
    return 500;
  }
}

/** Clients outside of browsers send no origin. */
function isAllowed(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || allowed.includes("*") || allowed.includes(origin);
}

const REASONS: Readonly<Record<number, string>> = {
  403: "Forbidden",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

function refuse(socket: Duplex, status: number): void {
  const retry = status === 503 ? `Retry-After: ${RETRY_AFTER_S}\r\n` : "";
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.once("finish", () => socket.destroy());
}
