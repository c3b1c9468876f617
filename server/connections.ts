import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** More open connections than this close the idle ones, least recently used first. */
const MAX_CONNECTIONS = 2000;
/** The number of requests that may wait on one connection for the response to an earlier one; one more closes it. */
const MAX_WAITING = 16;

/**
 * Bounds the connections of a server. The requests of one connection run one after the other: the next one starts when the
 * response before it has been handed to the operating system, so a client that does not read cannot pile up responses.
 */
export function boundConnections(
  server: Server,
  maxConnections = MAX_CONNECTIONS,
): { inTurn(incoming: IncomingMessage, outgoing: ServerResponse, run: () => void): void } {
  /** Connections without a request so far, and connections between two requests; least recently used first. */
  const unused = new Set<Socket>();
  const idle = new Set<Socket>();
  /** Connections with a request in progress, and those that wait behind it. */
  const busy = new Map<Socket, (() => void)[]>();

  server.on("connection", (socket: Socket) => {
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

  function start(socket: Socket, outgoing: ServerResponse, run: () => void): void {
    outgoing.once("close", () => {
      const waiting = busy.get(socket);
      if (!waiting || socket.destroyed) return;
      const next = waiting.shift();
      if (next) return next();
      busy.delete(socket);
      idle.add(socket);
    });
    run();
  }

  return {
    inTurn(incoming, outgoing, run) {
      const { socket } = incoming;
      const waiting = busy.get(socket);
      if (waiting) {
        if (waiting.length >= MAX_WAITING) close(socket);
        else waiting.push(() => start(socket, outgoing, run));
      } else if (!socket.destroyed) {
        unused.delete(socket);
        idle.delete(socket);
        busy.set(socket, []);
        start(socket, outgoing, run);
      }
    },
  };
}

function first(sockets: ReadonlySet<Socket>): Socket | undefined {
  const [socket] = sockets;
  return socket;
}
