import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy in front of a server that can drop all packets, without closing a connection. */
export interface SilentNetwork {
  url(direct: string): string;
  /** Stops forwarding: on connections whose client has sent `text`, or on all, new ones included. */
  fall(text?: string): void;
  /** Forwards everything again, including the bytes that were held back. */
  recover(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server of a URL. */
export async function startSilentNetwork(direct: string): Promise<SilentNetwork> {
  const { port } = new URL(direct);
  const links = new Set<{ client: Socket; server: Socket; sent: string }>();
  let silent = false;

  const proxy = createServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    const link = { client, server, sent: "" };
    links.add(link);
    client.on("data", (data) => {
      link.sent += data.toString("latin1");
      server.write(data);
    });
    server.on("data", (data) => client.write(data));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      if (silent) one.pause();
      one.on("error", () => one.destroy());
      one.on("close", () => {
        other.destroy();
        links.delete(link);
      });
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");

  return {
    url(text) {
      const url = new URL(text);
      const address = proxy.address();
      if (typeof address === "object" && address) url.port = String(address.port);
      return url.href;
    },
    fall(text = "") {
      silent = text === "";
      for (const { client, server, sent } of links) {
        if (!sent.includes(text)) continue;
        client.pause();
        server.pause();
      }
    },
    recover() {
      silent = false;
      for (const { client, server } of links) {
        client.resume();
        server.resume();
      }
    },
    async close() {
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
      proxy.close();
      await once(proxy, "close");
    },
  };
}
