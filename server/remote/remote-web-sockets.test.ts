import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { RealtimeClient } from "@supabase/realtime-js";
import type { WebSockets } from "backend";
import { openTestPglite } from "backend/test/database.ts";
import { openRealtime, PUBLISHABLE_KEY } from "backend/test/wire/realtime/fixture.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { remoteWebSockets } from "./remote-web-sockets.ts";

const UPGRADE = { Connection: "Upgrade", Upgrade: "websocket" };

/** Answers `/echo` with an upgrade and everything it receives, and other paths with 403. */
const hosted = createServer((_request, response) => response.writeHead(403).end());
const site = createServer();
const seen: IncomingMessage[] = [];
let siteUrl: string;
let webSockets: WebSockets;

beforeAll(async () => {
  hosted.on("upgrade", (incoming, socket) => {
    seen.push(incoming);
    if (!incoming.url?.startsWith("/echo")) return socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nhello");
    socket.pipe(socket);
  });
  webSockets = remoteWebSockets(await listening(hosted));
  site.on("upgrade", (incoming, socket, head) => webSockets.accept(incoming, socket, head, { clientAddress: "192.0.2.1" }));
  siteUrl = await listening(site);
});
afterAll(() => {
  webSockets.drain();
  hosted.close();
  site.close();
});

async function listening(server: typeof site): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

function connect(path: string): Promise<{ answer: IncomingMessage; socket: Duplex; head: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(siteUrl + path, { headers: UPGRADE });
    outgoing
      .on("upgrade", (answer, socket, head) => resolve({ answer, socket, head }))
      .on("error", reject)
      .end();
  });
}

/** Returns the status of an upgrade that is refused. */
function refusal(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(siteUrl + path, { headers: UPGRADE });
    outgoing
      .on("response", (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

test("bytes pass in both directions, with the query and the address of the client", async () => {
  const { answer, socket, head } = await connect("/echo?vsn=2.0.0");
  let received = head.toString();
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  socket.write(" and back");
  await expect.poll(() => received).toBe("hello and back");
  expect(answer.headers["sec-websocket-accept"]).toBe("x");
  expect([seen.at(-1)?.url, seen.at(-1)?.headers["x-forwarded-for"], seen.at(-1)?.headers.host]).toEqual([
    "/echo?vsn=2.0.0",
    "192.0.2.1",
    expect.not.stringContaining(new URL(siteUrl).host),
  ]);
  socket.destroy();
});

test("a refusal is passed on", async () => {
  expect(await refusal("/other")).toBe(403);
});

test("a process that stops ends the connections, and accepts no more", async () => {
  const { socket } = await connect("/echo");
  const closed = once(socket, "close");
  webSockets.drain();
  await closed;
  expect(await refusal("/echo")).toBe(503);
});

test("the official client connects again after the process has stopped, and receives what follows", async () => {
  await using realtime = await openRealtime(openTestPglite);
  webSockets = remoteWebSockets(realtime.url);
  const client = new RealtimeClient(`${siteUrl.replace("http", "ws")}/realtime/v1`, {
    params: { apikey: PUBLISHABLE_KEY },
    reconnectAfterMs: () => 50,
  });
  onTestFinished(async () => void (await client.disconnect()));
  const statuses: string[] = [];
  const received: string[] = [];
  const channel = client.channel("a").on("broadcast", { event: "*" }, ({ event }) => received.push(event));
  channel.subscribe((status) => statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  webSockets.drain();
  await expect.poll(() => statuses).toContain("CHANNEL_ERROR");
  webSockets = remoteWebSockets(realtime.url);
  await expect.poll(() => statuses.at(-1)).toBe("SUBSCRIBED");
  await realtime.client().channel("a").httpSend("later", {});
  await expect.poll(() => received).toEqual(["later"]);
});
