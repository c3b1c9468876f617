import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

const READY = "Z".charCodeAt(0);
const KEY_DATA = "K".charCodeAt(0);
const NOTIFICATION = "A".charCodeAt(0);
const IDLE = "I".charCodeAt(0);

/** A proxy that behaves like PgBouncer with pool_mode=transaction. */
export interface TransactionPooler {
  url(direct: string): string;
  close(): Promise<void>;
}

/**
 * Starts a pooler in front of a server without passwords and TLS. Each client connection has `width` server connections, and
 * every transaction goes to the next of them. Notifications are dropped. Like PgBouncer, it sends a process id of its own, unless
 * `ownProcessId` is false.
 */
export async function startTransactionPooler(
  direct: string,
  { width = 3, ownProcessId = true }: { width?: number; ownProcessId?: boolean } = {},
): Promise<TransactionPooler> {
  const port = Number(new URL(direct).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => void serve(client));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  async function serve(client: Socket): Promise<void> {
    keep(client);
    const [startup]: Buffer[] = await once(client, "data");
    if (!startup) return;
    const backends = await Promise.all(Array.from({ length: width }, () => greeted(startup)));
    let turn = 0;
    for (const [index, { socket }] of backends.entries()) {
      const read = createReader((kind, message) => {
        if (index === turn && kind !== NOTIFICATION) client.write(message);
        if (index === turn && kind === READY && message[5] === IDLE) turn = (turn + 1) % width;
      });
      socket.on("data", read);
      socket.on("close", () => client.destroy());
    }
    client.on("data", (data) => backends[turn]?.socket.write(data));
    client.on("close", () => backends.forEach(({ socket }) => socket.destroy()));
    client.write(backends[0]?.greeting ?? "");
  }

  async function greeted(startup: Buffer): Promise<{ socket: Socket; greeting: Buffer }> {
    const socket = keep(connect(port, "127.0.0.1"));
    socket.write(startup);
    const parts: Buffer[] = [];
    const done = Promise.withResolvers<void>();
    const read = createReader((kind, message) => {
      if (kind === KEY_DATA && ownProcessId) message.writeUInt32BE(randomInt(2 ** 31), 5);
      parts.push(message);
      if (kind === READY) done.resolve();
    });
    socket.on("data", read);
    await done.promise;
    socket.off("data", read);
    return { socket, greeting: Buffer.concat(parts) };
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  }

  return {
    url(text) {
      const url = new URL(text);
      const address = server.address();
      if (typeof address === "object" && address) url.port = String(address.port);
      return url.href;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Splits the bytes of a server into messages: type, length including itself, and body. */
function createReader(onMessage: (kind: number, message: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = 1 + rest.readUInt32BE(1);
      onMessage(rest[0] ?? 0, rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}
