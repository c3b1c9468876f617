import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** More open connections than this close the idle ones, least recently used first. */
const MAX_CONNECTIONS = 2000;
/**
 * More open connections of one client address than this close its own, in the same order. An office shares one address: this is
 * enough for 42 browsers, which open six each.
 */
const MAX_CONNECTIONS_OF_ONE = 256;
/** The number of requests that may wait on one connection for the response to an earlier one; one more closes it. Browsers send none. */
const MAX_WAITING = 4;

interface ConnectionLimits {
  maxConnections?: number | undefined;
  /** Infinite behind a proxy, whose address all clients share. */
  maxOfOne?: number | undefined;
}

interface BoundConnections {
  /** Runs a request after the earlier ones of its connection. */
  inTurn(incoming: IncomingMessage, outgoing: ServerResponse, run: () => void): void;
  /** Hands a connection over to another protocol: it is no longer idle or busy, but counts for its client. */
  release(socket: Socket): void;
  /** Ends each connection after its next response, so that clients open another one, which a proxy may open to another server. */
  endSoon(): void;
  /** Closes the idle connections, and the others after the responses to the requests that they have sent. */
  drain(): void;
}

interface BusyConnection {
  outgoing: ServerResponse;
  /** The requests behind the one in progress. */
  waiting: (() => void)[];
}

/**
 * Bounds the connections of a server. The requests of one connection run one after the other: the next one starts when the
 * response before it has been handed to the operating system, so a client that does not read cannot pile up responses.
 */
export function boundConnections(
  server: Server,
  { maxConnections = MAX_CONNECTIONS, maxOfOne = MAX_CONNECTIONS_OF_ONE }: ConnectionLimits = {},
): BoundConnections {
  /** Connections without a request so far, and connections between two requests; least recently used first. */
  const unused = new Set<Socket>();
  const idle = new Set<Socket>();
  const busy = new Map<Socket, BusyConnection>();
  let isEnding = false;
  /** The number of open connections by client address. */
  const open = new Map<string, number>();

  /** Counts a connection of its client; false if there are too many, and none of them could be closed instead. */
  function admit(socket: Socket): boolean {
    const { remoteAddress: address = "" } = socket;
    const isSame = (other: Socket): boolean => other.remoteAddress === address;
    if ((open.get(address) ?? 0) >= maxOfOne) close(unused.values().find(isSame) ?? idle.values().find(isSame) ?? socket);
    if (socket.destroyed) return false;
    open.set(address, (open.get(address) ?? 0) + 1);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    return true;
  }

  server.on("connection", (socket: Socket) => {
    if (!admit(socket)) return;
    // Not the new connection itself, unless all others are busy.
    if (unused.size + idle.size + busy.size >= maxConnections) close(first(unused) ?? first(idle) ?? socket);
    if (socket.destroyed) return;
    unused.add(socket);
    socket.once("close", () => forget(socket));
  });

  function close(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Socket): void {
    unused.delete(socket);
    idle.delete(socket);
    busy.delete(socket);
  }

  function start(socket: Socket, connection: BusyConnection, run: () => void): void {
    const { outgoing, waiting } = connection;
    if (isEnding) closeAfter(connection);
    outgoing.once("close", () => {
      if (!busy.has(socket) || socket.destroyed) return;
      const next = waiting.shift();
      if (next) return next();
      busy.delete(socket);
      if (isEnding) socket.end();
      else idle.add(socket);
    });
    run();
  }

  /** Announces the end of the connection, so that the client does not send another request meanwhile. */
  function closeAfter({ outgoing, waiting }: BusyConnection): void {
    if (waiting.length === 0) outgoing.shouldKeepAlive = false;
  }

  function endSoon(): void {
    isEnding = true;
    for (const connection of busy.values()) closeAfter(connection);
  }

  return {
    inTurn(incoming, outgoing, run) {
      const { socket } = incoming;
      const connection = busy.get(socket);
      if (connection) {
        const { waiting } = connection;
        if (waiting.length >= MAX_WAITING) return close(socket);
        waiting.push(() => {
          connection.outgoing = outgoing;
          start(socket, connection, run);
        });
      } else if (!socket.destroyed) {
        unused.delete(socket);
        idle.delete(socket);
        const started: BusyConnection = { outgoing, waiting: [] };
        busy.set(socket, started);
        start(socket, started, run);
      }
    },
    release: forget,
    endSoon,
    drain() {
      endSoon();
      for (const socket of [...unused, ...idle]) close(socket);
    },
  };
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  const [socket] = sockets;
  return socket;
}
