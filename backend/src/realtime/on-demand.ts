import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Connection } from "../connection.ts";
import type { Realtime, RealtimeOptions } from "./index.ts";

/** Accepts WebSockets of an HTTP server. */
export interface WebSockets {
  /** Answers an upgrade request. */
  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer, connection: Connection): void;
  /** Closes all WebSockets; their clients connect again. */
  drain(): void;
}

/** The realtime API, which is loaded when the first client connects. */
interface RealtimeOnDemand {
  webSockets: WebSockets;
  fetch(request: Request, connection: Connection): Promise<Response>;
  close(): Promise<void>;
}

/** Makes the realtime API of a project; a process without realtime clients does not load it. */
export function realtimeOnDemand(options: RealtimeOptions): RealtimeOnDemand {
  let realtime: Promise<Realtime> | undefined;
  let isDraining = false;

  function load(): Promise<Realtime> {
    realtime ??= import("./index.ts").then(({ createRealtime }) => createRealtime(options)).catch(failed);
    return realtime;
  }

  function failed(error: unknown): never {
    realtime = undefined;
    throw error;
  }

  /** Resolves with the API if it is loaded or loading; undefined if it cannot be opened, which its requests got as an error. */
  function opened(): Promise<Realtime | undefined> | undefined {
    return realtime?.catch(() => undefined);
  }

  return {
    webSockets: {
      accept(incoming, socket, head, connection) {
        socket.on("error", destroy);
        if (isDraining) return void socket.destroy();
        load().then(
          ({ sockets }) => sockets.accept(incoming, socket, head, connection),
          (error: unknown) => {
            options.log.error({ err: error }, "realtime cannot be opened");
            socket.destroy();
          },
        );
      },
      drain() {
        isDraining = true;
        void opened()?.then((api) => api?.sockets.drain());
      },
    },
    fetch: async (request, connection) => (await load()).fetch(request, connection),
    close: async () => (await opened())?.close(),
  };
}

/** Not a closure, which would keep the request of each socket as long as the socket. */
function destroy(this: Duplex): void {
  this.destroy();
}
