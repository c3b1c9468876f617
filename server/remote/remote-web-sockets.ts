import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { clientNetwork, type WebSockets } from "backend";

/** Clients send a heartbeat every 25 seconds. */
const LONGEST_SILENCE_MS = 90_000;
const LONGEST_ANSWER_MS = 10_000;
const MAX_OPEN = 1000;
const MAX_OF_ONE_NETWORK = 100;

/** Passes WebSockets on to a backend elsewhere, byte by byte. The backend checks the key and bounds the frames. */
export function remoteWebSockets(url: string): WebSockets {
  const open = new Map<Duplex, string>();
  let isDraining = false;

  return {
    accept(incoming, socket, head, { clientAddress }) {
      const network = clientNetwork(clientAddress);
      const ofNetwork = open.values().filter((other) => other === network);
      socket.on("error", () => socket.destroy());
      if (isDraining || open.size >= MAX_OPEN || [...ofNetwork].length >= MAX_OF_ONE_NETWORK)
        return refuse(socket, 503, "Service Unavailable");
      open.set(socket, network);
      socket.once("close", () => open.delete(socket));
      passOn(new URL(incoming.url ?? "/", url), incoming, socket, head, clientAddress);
    },
    drain() {
      isDraining = true;
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

function passOn(target: URL, incoming: IncomingMessage, socket: Duplex, head: Buffer, clientAddress: string): void {
  const { host: _host, ...headers } = incoming.headers;
  const request = target.protocol === "https:" ? requestHttps : requestHttp;
  const outgoing = request(target, { headers: { ...headers, "x-forwarded-for": clientAddress }, timeout: LONGEST_ANSWER_MS });
  socket.once("close", () => outgoing.destroy());
  outgoing.once("timeout", () => outgoing.destroy(new Error("The backend does not answer.")));
  outgoing.once("error", () => refuse(socket, 502, "Bad Gateway"));
  outgoing.once("response", (answer) => {
    answer.resume();
    refuse(socket, answer.statusCode ?? 502, answer.statusMessage ?? "");
  });
  outgoing.once("upgrade", (answer, remote: Socket, remoteHead) => {
    const lines = answer.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
    if (remoteHead.length > 0) socket.write(remoteHead);
    if (head.length > 0) remote.write(head);
    join(socket, remote);
  });
  outgoing.end();
}

/** Joins two connections until one of them ends or is silent for too long. */
function join(socket: Duplex, remote: Socket): void {
  remote.on("error", () => remote.destroy());
  remote.setTimeout(LONGEST_SILENCE_MS, () => remote.destroy());
  if ("setTimeout" in socket && typeof socket.setTimeout === "function") socket.setTimeout(0);
  socket.once("close", () => remote.destroy());
  remote.once("close", () => socket.destroy());
  socket.pipe(remote);
  remote.pipe(socket);
}

function refuse(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}
