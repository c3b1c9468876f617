import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A port that leads to a server, and to another one after `moveTo`: the address of a database whose primary changes. */
interface MovingAddress extends AsyncDisposable {
  port: number;
  /** Ends the connections; new ones lead to this port. */
  moveTo(port: number): void;
}

/** Opens a port of the loopback interface that leads to `target`. */
export async function openMovingAddress(target: number): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let current = target;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  }

  const server = createServer((client) => {
    const there = keep(connect(current, "127.0.0.1"));
    keep(client).pipe(there).pipe(client);
    client.once("close", () => there.destroy());
    there.once("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    moveTo(port) {
      current = port;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
