import { once } from "node:events";
import { connect, type Socket } from "node:net";
import pino from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { type Handler, listen, type ListenOptions } from "./listen.ts";

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

async function serve(handler: Handler, options: Partial<ListenOptions> = {}): Promise<{ port: number; url: string; lines: string[] }> {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log, ...options });
  cleanup.push(server.close);
  server.serve(handler);
  return { port: server.port, url: `http://127.0.0.1:${server.port}`, lines };
}

async function open(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, "127.0.0.1");
  cleanup.push(() => socket.destroy());
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1"))).on("error", () => socket.destroy());
  await once(socket, "connect");
  return { socket, received: () => received };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("the requests of one connection run one after the other and are answered in order", async () => {
  const started: string[] = [];
  const held = Promise.withResolvers<void>();
  const { port, url } = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/other") started.push(pathname);
    if (pathname === "/a") await held.promise;
    return new Response(`[${pathname}]`);
  });
  const { socket, received } = await open(port);
  socket.write(["/a", "/b", "/c", "/d"].map(get).join(""));
  await expect.poll(() => started).toContain("/a");
  // A later request of another connection is answered, so all of the first connection's have arrived.
  await fetch(`${url}/other`);
  expect(started).toEqual(["/a"]);
  held.resolve();
  await expect.poll(() => received().match(/\[\/\w\]/g)).toEqual(["[/a]", "[/b]", "[/c]", "[/d]"]);
  socket.write(get("/e"));
  await expect.poll(received).toContain("[/e]");
});

test("a connection with too many unanswered requests is closed", async () => {
  let requests = 0;
  const held = Promise.withResolvers<Response>();
  const handler: Handler = () => {
    requests += 1;
    return held.promise;
  };
  // Longer than the test, so that the connection is not closed because nothing moves on it.
  const { port } = await serve(handler, { patienceMs: 3_600_000 });
  cleanup.push(() => held.resolve(new Response("ok")));
  const { socket } = await open(port);
  const closed = once(socket, "close");
  socket.write(get("/").repeat(50));
  await closed;
  expect(requests).toBe(1);
});

test("a client that does not read its response is disconnected", async () => {
  const size = 64 * 1024 * 1024;
  let disconnected = false;
  const answer: Handler = async (request) => {
    request.signal.addEventListener("abort", () => (disconnected = true));
    return new Response(new Uint8Array(size));
  };
  const { port } = await serve(answer, { patienceMs: 2000 });
  const { socket } = await open(port);
  let received = 0;
  socket.removeAllListeners("data").on("data", (chunk) => (received += chunk.length));
  socket.pause();
  socket.write(get("/"));
  await expect.poll(() => disconnected).toBe(true);
  const closed = once(socket, "close");
  socket.resume();
  await closed;
  expect(received).toBeLessThan(size);
});

test("above the number of connections, unused and idle ones are closed and a new visitor is served", async () => {
  const { port, url } = await serve(() => Promise.resolve(new Response("ok")), { maxConnections: 5 });
  const idle = await Promise.all(Array.from({ length: 20 }, () => open(port)));
  expect(await (await fetch(url)).text()).toBe("ok");
  await expect.poll(() => idle.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(15);
});

test("above the number of connections of one client address, its own are closed, but not if the address is a proxy", async () => {
  const ok: Handler = () => Promise.resolve(new Response("ok"));
  const { port, url } = await serve(ok, { maxConnectionsOfOne: 5 });
  const idle = await Promise.all(Array.from({ length: 20 }, () => open(port)));
  expect(await (await fetch(url)).text()).toBe("ok");
  await expect.poll(() => idle.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(15);

  const proxied = await serve(ok, { maxConnectionsOfOne: 5, trustProxy: 1 });
  const others = await Promise.all(Array.from({ length: 20 }, () => open(proxied.port)));
  expect(await (await fetch(proxied.url)).text()).toBe("ok");
  expect(others.filter(({ socket }) => socket.destroyed)).toEqual([]);
});

test("forty browsers behind one client address keep their six connections each", async () => {
  const { port, url } = await serve(() => Promise.resolve(new Response("ok")));
  const browsers = await Promise.all(Array.from({ length: 240 }, () => open(port)));
  for (const { socket } of browsers) socket.write(get("/"));
  // A connection that was closed for another one gets no response.
  await expect.poll(() => browsers.filter(({ received }) => received().endsWith("ok")).length).toBe(240);
  expect(await (await fetch(url)).text()).toBe("ok");
});

test("a client network that is sending too many bodies is refused, and others are served", async () => {
  const { port, url } = await serve(async (request) => new Response(await request.text()), { trustProxy: 1 });
  const post = (client: string): string => `POST / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\nContent-Length: 2\r\n\r\na`;
  const slow = await Promise.all(Array.from({ length: 70 }, () => open(port)));
  for (const { socket } of slow) socket.write(post("192.0.2.1"));
  await expect.poll(() => slow.filter(({ received }) => received().startsWith("HTTP/1.1 503")).length).toBe(6);
  const other = await open(port);
  other.socket.write(`${post("192.0.2.2")}b`);
  await expect.poll(other.received).toContain("ab");
  expect((await fetch(url, { headers: { "X-Forwarded-For": "192.0.2.1" } })).status).toBe(200);
});

test("a client network whose clients left in the middle of refused bodies may send others", async () => {
  const { port, url } = await serve(() => Promise.resolve(new Response("refused", { status: 401 })));
  for (let count = 0; count < 64; count += 1) {
    const { socket, received } = await open(port);
    socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\na");
    await expect.poll(received, { interval: 1 }).toContain("refused");
    socket.destroy();
  }
  await expect.poll(async () => (await fetch(url, { method: "POST", body: "a" })).status).toBe(401);
});

test("a stop closes idle connections, gives running requests five seconds and announces the end of their connections", async () => {
  const held = Promise.withResolvers<Response>();
  let started = 0;
  const log = pino({ level: "silent" });
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log });
  server.serve(() => {
    started += 1;
    return held.promise;
  });
  const [idle, running] = [await open(server.port), await open(server.port)];
  const idleClosed = once(idle.socket, "close");
  running.socket.write(get("/"));
  await expect.poll(() => started).toBe(1);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const stopped = server.close();
  vi.advanceTimersByTime(4999);
  vi.useRealTimers();
  await idleClosed;
  const ended = once(running.socket, "close");
  held.resolve(new Response("finished"));
  await ended;
  expect(running.received()).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*finished$/i);
  await stopped;
});

test.each([
  "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
  "GET http://[nonsense HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
])("the nonsense request %j is 400 and no error", async (text) => {
  const { port, lines } = await serve((request) => Promise.resolve(new Response(new Request(request).method)));
  const { socket, received } = await open(port);
  socket.write(text);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});
